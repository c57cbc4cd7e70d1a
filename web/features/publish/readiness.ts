import { useQuery } from '@tanstack/react-query'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { detailQuery } from '#web/entity/entity-query.ts'

interface Named {
  readonly id: string
  readonly name: string
}

/** The parts of a bot that a conversation needs; undefined where this person may not read them. */
interface BotParts {
  readonly isStarted: boolean
  /** The default task; null for none. */
  readonly defaultTask: Named | null | undefined
  /** Main dialog of the task in question; null for none. */
  readonly main: (Named & { readonly isPublished: boolean }) | null | undefined
  /** The task in question: the default one, or where there is none the task of the published flow. */
  readonly task: Named | undefined
  readonly hasChannel: boolean | undefined
}

/** Steps a bot still needs before it can chat. */
export type MissingStep =
  | { readonly is: 'default' | 'channel' | 'start' }
  | { readonly is: 'main'; readonly task: Named }
  | { readonly is: 'unpublished'; readonly dialog: Named }

/** In the order in which they are done; undefined where a part may not be read. */
export const missingSteps = (parts: BotParts): readonly MissingStep[] | undefined => {
  const { isStarted, defaultTask, main, task, hasChannel } = parts
  if (defaultTask === undefined || hasChannel === undefined) return undefined
  if (task !== undefined && main === undefined) return undefined
  const missing: MissingStep[] = []
  if (defaultTask === null) missing.push({ is: 'default' })
  if (task !== undefined && main === null) missing.push({ is: 'main', task })
  if (main && !main.isPublished) missing.push({ is: 'unpublished', dialog: { id: main.id, name: main.name } })
  if (!hasChannel) missing.push({ is: 'channel' })
  if (!isStarted) missing.push({ is: 'start' })
  return missing
}

/** Enabled channels of a bot, web chats first. */
export const enabledChannelsQuery = (bot: string) => ({
  queryKey: ['channel', 'enabled', bot],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const read = async (query: Readonly<Record<string, string | number | boolean>>) =>
      (
        await http.get('/{entity}', {
          params: { entity: 'channel' },
          query: { bot, enable: true, size: 1, ...query },
          signal,
        })
      ).items
    const chats = await read({ type: 'webchat' })
    return chats.length > 0 ? chats : await read({})
  },
})

const namedOf = ({ id, name }: Named): Named => ({ id, name })

/** Whether people can talk to a bot, and what is missing; `task` is that of a flow that was just published. */
export const useReadiness = (id: string | undefined, task: string | undefined) => {
  const { can } = useSession()
  const bot = id ?? ''
  const botQuery = useQuery({ ...detailQuery('bot', bot), enabled: id !== undefined })
  const botRow = botQuery.data
  const defaultId = botRow?.defaultdialogtask
  const entry = defaultId ?? task
  const taskQuery = useQuery({
    ...detailQuery('dialogtask', entry ?? ''),
    enabled: botRow !== undefined && entry !== undefined && can('readdialogtask'),
  })
  const taskRow = taskQuery.data
  const mainId = taskRow?.principaldialog
  const mainQuery = useQuery({
    ...detailQuery('dialog', mainId ?? ''),
    enabled: typeof mainId === 'string' && can('readdialog'),
  })
  const mainRow = mainQuery.data
  const channelQuery = useQuery({ ...enabledChannelsQuery(bot), enabled: id !== undefined && can('readchannel') })
  const channels = channelQuery.data
  const main = mainRow === undefined ? undefined : { ...namedOf(mainRow), isPublished: mainRow.published }
  const taskName = taskRow === undefined ? undefined : namedOf(taskRow)
  const missing =
    botRow === undefined
      ? undefined
      : missingSteps({
          isStarted: botRow.runningstatus !== 'stopped',
          defaultTask: defaultId === null ? null : taskName,
          main: mainId === null ? null : main,
          task: entry === undefined ? undefined : taskName,
          hasChannel: channels && channels.length > 0,
        })
  const chat = channels?.find(({ type }) => type === 'webchat')?.id
  const isLoading = [botQuery, taskQuery, mainQuery, channelQuery].some(query => query.isLoading)
  return { missing, isLoading, bot: botRow, task: taskRow, chat }
}
