import { randomUUID } from 'node:crypto'
import { append, appendAtEnd, draft, NO_STREAM } from '#commands/pipeline/append.ts'
import type { Caller } from '#commands/port.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { auditStream } from '#schemas/events/entity.ts'
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
  /**
   * Words of a conversation were read or exported. Reading the same again within some minutes adds no line. Resolves when the
   * line is stored, so that nothing is answered without it.
   */
  read(from: Origin & ConversationReading): Promise<void>
  /** A contact of a campaign of this level was forgotten. Answers the position to wait for. */
  contactForgotten(from: Origin & { readonly contact: string; readonly level: string | null }): Promise<string>
  /**
   * Contacts of a campaign, a list or a segment of this level are about to leave the console, to be removed or to be
   * copied. `fields` has ids and counts alone. Answers the position to wait for.
   */
  contactsActed(
    from: Origin & {
      readonly type: 'ContactsExported' | 'ContactsRemoved' | 'ContactsCopied'
      readonly fields: JsonObject
      readonly level: string | null
    },
  ): Promise<string>
  /** A list of opted-out numbers of this level was changed by hand. Answers the position to wait for. */
  suppressionChanged(
    from: Origin & {
      readonly level: string
      readonly type: 'NumberSuppressed' | 'NumberResumed' | 'NumbersImported' | 'NumbersExported'
      readonly fields: JsonObject
    },
  ): Promise<string>
  /** An agent acted on a chat of others, or on the state of another agent. Answers the position to wait for. */
  deskActed(
    from: Origin & { readonly type: DeskAct; readonly level: string | null; readonly fields: JsonObject },
  ): Promise<string>
  /**
   * Personal values of users, in so many events, are about to leave: to a webhook of this level, or in an answer. Resolves
   * when the line is stored, so that nothing is sent without it.
   */
  personalSent(from: {
    readonly sender: Pick<Caller, 'user' | 'session'>
    readonly correlation: string
    readonly level: string | null
    readonly webhook: string | null
    readonly count: number
    readonly reason: string
  }): Promise<void>
  /** The caller has seen notifications; all of them without `ids`. Answers the position to wait for. */
  seen(from: Origin & { readonly ids?: readonly string[] }): Promise<string>
}

/** Acts at the desk that the audit lists. */
export type DeskAct =
  | 'ConversationTakenOver'
  | 'ConversationBegun'
  | 'ConversationAssigned'
  | 'ConversationTransferred'
  | 'ConversationPrioritized'
  | 'ConversationClosed'
  | 'ConversationTemplateSent'
  | 'ConversationRevealed'
  | 'AgentStateSet'
  | 'DeskExported'

/** `conversation` absent: a list of conversations of a bot, or of all. */
interface ConversationReading {
  readonly verb: 'opened' | 'exported' | 'listed'
  readonly conversation?: string
  readonly bot: string | null
  /** Level of the bot; of a list of all, that of the session. */
  readonly level: string | null
  /** Kind of reading: `transcript`, `unrecognized`. */
  readonly part?: string
}

/** Reading the same again within this time belongs to the line that was written: screens ask every few seconds. */
const JOINED_MS = 15 * 60_000
const MAX_REMEMBERED = 20_000

const typeOf = ({ verb, conversation }: Pick<ConversationReading, 'verb' | 'conversation'>): string => {
  if (verb === 'listed') return 'ConversationsListed'
  if (verb === 'opened') return 'ConversationOpened'
  return conversation === undefined ? 'ConversationsExported' : 'ConversationExported'
}

interface AuditLine {
  readonly caller: Pick<Caller, 'user' | 'session'>
  readonly correlation: string
  readonly type: string
  readonly level: string | null
  readonly fields: JsonObject
}

/** Returns the position of the line. */
const writeLine = async (
  store: EventStore,
  { caller, correlation, type, level, fields }: AuditLine,
): Promise<string> => {
  const id = randomUUID()
  const event = draft(authorOf(caller, correlation, id), 'line', type, level, { fields })
  return (await append(store, auditStream(id), NO_STREAM, [event])).position
}

const openReadings = (store: EventStore, now: () => number) => {
  /** Lines of the last minutes by person, conversation or bot, and verb. */
  const recent = new Map<string, { readonly time: number; readonly written: Promise<unknown> }>()

  const write = async ({ caller, correlation, level, ...reading }: Origin & ConversationReading): Promise<void> => {
    const { conversation, bot, part } = reading
    const fields = {
      ...(conversation === undefined ? {} : { conversation }),
      bot,
      ...(part === undefined ? {} : { part }),
    }
    await writeLine(store, { caller, correlation, type: typeOf(reading), level, fields })
  }

  return async (reading: Origin & ConversationReading): Promise<void> => {
    const { caller, verb, conversation = '', bot, part = '' } = reading
    if (verb === 'exported') return write(reading)
    const key = `${caller.user} ${caller.session} ${verb} ${conversation} ${bot} ${part}`
    const known = recent.get(key)
    if (known !== undefined && now() - known.time < JOINED_MS) return void (await known.written)
    if (recent.size >= MAX_REMEMBERED) recent.clear()
    const written = write(reading)
    recent.set(key, { time: now(), written })
    // A line that was not stored is tried again by the next request.
    written.catch(() => recent.delete(key))
    await written
  }
}

export const openAuditRecorder = (store: EventStore, now: () => number = Date.now): Record => ({
  read: openReadings(store, now),
  exported: ({ caller, correlation, filter, format }) => {
    const fields = { ...filter, format } as JsonObject
    return writeLine(store, { caller, correlation, type: 'AuditExported', level: caller.level, fields })
  },
  forgotten: ({ conversation, bot, ...line }) =>
    writeLine(store, { ...line, type: 'ConversationForgotten', fields: { conversation, bot } }),
  contactForgotten: ({ contact, ...line }) =>
    writeLine(store, { ...line, type: 'ContactForgotten', fields: { contact } }),
  contactsActed: line => writeLine(store, line),
  suppressionChanged: line => writeLine(store, line),
  deskActed: line => writeLine(store, line),

  async personalSent({ sender, correlation, level, ...fields }) {
    await writeLine(store, { caller: sender, correlation, type: 'PersonalValuesSent', level, fields })
  },

  async seen({ caller, correlation, ids }) {
    const stream = notificationStream(caller.user ?? '')
    const author = authorOf(caller, correlation, randomUUID())
    const data = ids === undefined ? { all: true } : { ids }
    const event = draft(author, 'seen', 'NotificationsRead', null, data)
    return (await appendAtEnd(store, stream, [event])).position
  },
})

function authorOf(caller: Pick<Caller, 'user' | 'session'>, correlation: string, seed: string) {
  return { seed, actor: caller.user, time: new Date().toISOString(), correlation, causation: caller.session }
}
