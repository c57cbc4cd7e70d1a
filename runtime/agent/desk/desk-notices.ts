import { appendIfFirst, endOf } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { RowOf } from '#projections/port.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { noticeDrafts } from '../../alert/give-notice.ts'
import type { AgentProfile, DeskDirectory, DeskQueue } from './desk-directory.ts'

/** Notification to users of the desk. */
export interface DeskNotice {
  readonly message:
    | 'desk.assigned'
    | 'desk.transferred'
    | 'desk.takenover'
    | 'desk.declined'
    | 'desk.message'
    | 'desk.mentioned'
    | 'desk.returned'
    | 'desk.goal'
    | 'desk.full'
    | 'desk.nobody'
  readonly queue: string
  readonly users: readonly string[]
  readonly conversation?: string
}

/** The same notification within this time is given once: several nodes may see its reason. */
const JOINED_MS = 60_000

const KINDS: Readonly<Record<DeskNotice['message'], 'alert' | 'warn' | 'info'>> = {
  'desk.assigned': 'info',
  'desk.transferred': 'info',
  'desk.takenover': 'info',
  'desk.declined': 'warn',
  'desk.message': 'info',
  'desk.mentioned': 'info',
  'desk.returned': 'warn',
  'desk.goal': 'warn',
  'desk.full': 'alert',
  'desk.nobody': 'alert',
}

/** Notifications about a queue to users of the console, in the log of the console. */
export const openDeskNotices = ({
  store,
  log,
}: {
  readonly store: EventStore
  readonly log: { error(error: unknown): void }
}): ((notice: DeskNotice) => void) => {
  const tell = async ({ message, queue, users, conversation = '' }: DeskNotice): Promise<void> => {
    if (queue === '') return
    const stream = noticeStream('deskqueue', queue)
    const recipients = [...new Set(users)].toSorted()
    const params = { conversation }
    const end = await endOf(store, stream)
    const same = JSON.stringify([message, params, recipients])
    for await (const { data, time } of store.read(stream, { direction: 'backwards', limit: 5 })) {
      const isSame = JSON.stringify([data.message, data.params, data.recipients]) === same
      if (isSame && Date.now() - Date.parse(time) < JOINED_MS) return
    }
    const data = { entity: 'deskqueue', id: queue, message, kind: KINDS[message], params, recipients }
    const given = await appendIfFirst(store, stream, end, noticeDrafts(data))
    if (given === undefined) await tell({ message, queue, users, conversation })
  }
  return notice => void tell(notice).catch(error => log.error(error))
}

/** Names of colleagues in a note: `@name`. */
const MENTION = /@([\p{L}\p{N}._-]{2,60})/gu

interface WrittenNote {
  readonly bot: string
  readonly queue: string
  /** The user who wrote it. */
  readonly by: string
  readonly text: string
}

interface MentionParts {
  readonly bot: (id: string) => Promise<RowOf<'bot'> | undefined>
  readonly directory: Pick<DeskDirectory, 'agentsAt' | 'supervisorsAt' | 'profile'>
}

/** Members of a queue that may see a bot, without one of them. */
export const colleaguesIn = async (
  { bot, directory }: MentionParts,
  queue: DeskQueue | undefined,
  of: Pick<WrittenNote, 'bot' | 'by'>,
): Promise<readonly AgentProfile[]> => {
  const level = (await bot(of.bot))?.hierarchylevel ?? ''
  const may = new Set([...directory.agentsAt(level), ...directory.supervisorsAt(level)])
  const members = (queue?.members ?? []).filter(({ user }) => user !== of.by && may.has(user))
  return Promise.all(members.map(({ user }) => directory.profile(user)))
}

/** Members of a queue that a note mentions, and that may see the bot. */
export const usersMentioned = async (
  parts: MentionParts & { readonly directory: Pick<DeskDirectory, 'queue'> },
  { bot, queue, by, text }: WrittenNote,
): Promise<readonly string[]> => {
  const names = new Set([...text.matchAll(MENTION)].map(([, name = '']) => name.toLowerCase()))
  if (names.size === 0) return []
  const colleagues = await colleaguesIn(parts, await parts.directory.queue(queue), { bot, by })
  return colleagues.flatMap(({ user, name, username }) => {
    const known = [username, name.replaceAll(' ', '.'), name.split(' ')[0] ?? '']
    return known.some(each => names.has(each.toLowerCase())) ? [user] : []
  })
}
