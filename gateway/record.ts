import { randomUUID } from 'node:crypto'
import { NO_STREAM } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { draft } from '#commands/pipeline/author.ts'
import type { Caller } from '#commands/port.ts'
import type { EventStore } from '#commands/store/port.ts'
import { appendAtEnd } from '#runtime/log/exclusive-append.ts'
import type { JsonObject } from '#schemas/event.ts'
import { auditStream } from '#schemas/events/audit.ts'
import { notificationStream } from '#schemas/events/notification.ts'

interface Origin {
  readonly caller: Caller
  readonly correlation: string
}

/** Facts that the gateway itself puts on record: they change no entity. */
export interface Record {
  /** Lines of the audit are about to leave the console. */
  exported(from: Origin & { readonly filter: object; readonly format: string }): Promise<string>
  /** The person of a conversation of this level was forgotten. Answers the position to wait for. */
  forgotten(
    from: Origin & { readonly conversation: string; readonly bot: string; readonly level: string | null },
  ): Promise<string>
  /** A contact of a campaign of this level was forgotten. Answers the position to wait for. */
  contactForgotten(from: Origin & { readonly contact: string; readonly level: string | null }): Promise<string>
  /** A list of opted-out numbers of this level was changed by hand. Answers the position to wait for. */
  suppressionChanged(
    from: Origin & {
      readonly level: string
      readonly type: 'NumberSuppressed' | 'NumberResumed' | 'NumbersImported'
      readonly fields: JsonObject
    },
  ): Promise<string>
  /** The caller has seen notifications; all of them without `ids`. Answers the position to wait for. */
  seen(from: Origin & { readonly ids?: readonly string[] }): Promise<string>
}

export const openRecord = (store: EventStore): Record => ({
  async exported({ caller, correlation, filter, format }) {
    const id = randomUUID()
    const author = authorOf(caller, correlation, id)
    const fields = { ...filter, format } as JsonObject
    const event = draft(author, 'exported', 'AuditExported', caller.level, { fields })
    return (await append(store, auditStream(id), NO_STREAM, [event])).position
  },

  async forgotten({ caller, correlation, conversation, bot, level }) {
    const id = randomUUID()
    const author = authorOf(caller, correlation, id)
    const event = draft(author, 'forgotten', 'ConversationForgotten', level, { fields: { conversation, bot } })
    return (await append(store, auditStream(id), NO_STREAM, [event])).position
  },

  async contactForgotten({ caller, correlation, contact, level }) {
    const id = randomUUID()
    const author = authorOf(caller, correlation, id)
    const event = draft(author, 'forgotten', 'ContactForgotten', level, { fields: { contact } })
    return (await append(store, auditStream(id), NO_STREAM, [event])).position
  },

  async suppressionChanged({ caller, correlation, level, type, fields }) {
    const id = randomUUID()
    const author = authorOf(caller, correlation, id)
    const event = draft(author, 'suppression', type, level, { fields })
    return (await append(store, auditStream(id), NO_STREAM, [event])).position
  },

  async seen({ caller, correlation, ids }) {
    const stream = notificationStream(caller.user ?? '')
    const author = authorOf(caller, correlation, randomUUID())
    const data = ids === undefined ? { all: true } : { ids }
    const event = draft(author, 'seen', 'NotificationsRead', null, data)
    return (await appendAtEnd(store, stream, [event])).position
  },
})

function authorOf(caller: Caller, correlation: string, seed: string) {
  return { seed, actor: caller.user, time: new Date().toISOString(), correlation, causation: null }
}
