import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { chatWindow } from '#web/chat-window/chat-window.ts'
import type { Row } from '#web/entity/entity-query.ts'
import type { MissingStep } from './readiness.ts'

/** A flow that was just published. */
export interface PublishedFlow {
  readonly kind: 'dialog' | 'handler'
  readonly id: string
  readonly name: string
  /** Its task. */
  readonly task: string | undefined
}

export interface ActsProps {
  readonly bot: RowOf<'bot'>
  readonly task: RowOf<'dialogtask'> | undefined
  readonly flow: PublishedFlow
}

interface Act {
  readonly label: string
  readonly run: () => Promise<unknown>
}

const patch = ({ id, revision }: Row, entity: string, body: Readonly<Record<string, string>>) =>
  http.patch('/{entity}/{id}', { params: { entity, id }, body, revision })

/** Makes a web chat of a bot. */
export const createWebChat = (bot: string, name: string) =>
  http.post('/{entity}', { params: { entity: 'channel' }, body: { bot, type: 'webchat', name } })

export const startBot = (bot: string) =>
  http.post('/{entity}/{id}/{action}', { params: { entity: 'bot', id: bot, action: 'start' }, body: {} })

/** The call that makes a missing part, where this person may make it and it is known which. */
export const useActs = () => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  return ({ bot, task, flow }: ActsProps, step: MissingStep): Act | undefined => {
    switch (step.is) {
      case 'default':
        if (task === undefined || !can('updatebot')) return undefined
        return {
          label: t('reach.use', { name: task.name }),
          run: () => patch(bot, 'bot', { defaultdialogtask: task.id }),
        }
      case 'main':
        if (task === undefined || flow.kind !== 'dialog' || flow.task !== step.task.id) return undefined
        if (!can('updatedialogtask')) return undefined
        return {
          label: t('reach.use', { name: flow.name }),
          run: () => patch(task, 'dialogtask', { principaldialog: flow.id }),
        }
      case 'channel':
        if (!can('createchannel')) return undefined
        return { label: t('reach.makechat'), run: () => createWebChat(bot.id, t('reach.chatname')) }
      case 'start':
        if (!can('startbot')) return undefined
        return { label: t('reach.startbot'), run: () => startBot(bot.id) }
      default:
        return undefined
    }
  }
}

interface TryProps {
  readonly bot: RowOf<'bot'> | undefined
  readonly task: RowOf<'dialogtask'> | undefined
  readonly flow: PublishedFlow
  readonly missing: readonly MissingStep[] | undefined
  /** The enabled web chat, if there is one. */
  readonly chat: string | undefined
}

/** Parts that a chat needs, in the order of their creation. */
export const TRY_PARTS = ['entry', 'channel', 'start'] as const
export type TryPart = (typeof TRY_PARTS)[number]

interface TryOptions {
  /** A part begins to be made, or is there. */
  onPart?(part: TryPart, isDone: boolean): void
  /** Shows the chat; without it the chat opens over the page. */
  open?(chat: { readonly channel: string; readonly bot: string }): void
}

export type TryIt = (options?: TryOptions) => Promise<void>

const partOf = ({ is }: MissingStep): TryPart => (is === 'channel' || is === 'start' ? is : 'entry')

/** Parts of a chat that are missing. */
export const missingParts = (missing: readonly MissingStep[]): ReadonlySet<TryPart> => new Set(missing.map(partOf))

/** One act that makes all that is missing and opens the chat; undefined where a part cannot be made from here. */
export const useTry = () => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const client = useQueryClient()
  const actOf = useActs()
  return ({ bot, task, flow, missing, chat }: TryProps): TryIt | undefined => {
    if (bot === undefined || missing === undefined) return undefined
    const acts = missing
      .filter(({ is }) => is !== 'channel')
      .map(step => ({ part: partOf(step), act: actOf({ bot, task, flow }, step) }))
    if (acts.some(({ act }) => act === undefined) || (chat === undefined && !can('createchannel'))) return undefined
    return async ({ onPart, open = chatWindow.open } = {}) => {
      let channel = chat
      const make = async (part: TryPart) => {
        if (part === 'channel') channel ??= (await createWebChat(bot.id, t('reach.chatname'))).id
        for (const { act } of acts.filter(each => each.part === part)) await act?.run()
      }
      try {
        // A bot that is started last never answers with half of its parts.
        for (const part of TRY_PARTS) {
          onPart?.(part, false)
          await make(part)
          onPart?.(part, true)
        }
        if (channel !== undefined) open({ channel, bot: bot.name })
      } finally {
        await client.invalidateQueries()
      }
    }
  }
}
