import { accepted, refused } from '#schemas/refusal.ts'
import type { OwnDesk } from '../agent/desk/own-desk.ts'
import type { Conversations } from '../port.ts'
import type { OpenedConversations } from './conversation-port.ts'

/** Conversations whose log is opened with the first one, or at once if some exist: an open log occupies threads. */
export interface LazyConversations extends Conversations {
  /** Undefined before the first conversation. */
  opened(): Promise<OpenedConversations | undefined>
  /** Opens the log if it is not open. */
  begun(): Promise<OpenedConversations>
  /** Retries a log that could not be opened; then as the opened ones do. */
  mend(bot: string): Promise<number>
  inboxAge(): Promise<number>
  /** As the opened ones do. Opens the log: another node may have begun conversations. */
  mayHoldFiles(conversation: string): Promise<boolean>
  /** As the opened ones do; nothing before the first conversation. */
  sweep(): Promise<number>
  /** As the opened ones do. Opens the log. */
  desk(): Promise<OwnDesk | undefined>
  close(): Promise<void>
}

export const lazyConversations = (
  hasSome: boolean,
  open: () => Promise<OpenedConversations>,
  close: () => Promise<void>,
): LazyConversations => {
  let opening: Promise<OpenedConversations> | undefined = hasSome ? open() : undefined
  let held: OpenedConversations | undefined
  const begun = (): Promise<OpenedConversations> => {
    opening ??= open()
    return opening.then(conversations => {
      held = conversations
      return conversations
    })
  }
  const opened = async () => (opening === undefined ? undefined : begun())
  // Only prevents an unhandled rejection: the first caller receives the error.
  opening?.then(
    conversations => {
      held = conversations
    },
    () => undefined,
  )
  const reopen = () => {
    opening = opening?.catch(open)
    return opened()
  }
  return {
    opened,
    begun,
    mayHoldFiles: async id => (await begun()).mayHoldFiles(id),
    inboxAge: async () => (await held?.inboxAge()) ?? 0,
    sweep: async () => (await opened())?.sweep() ?? 0,
    mend: async bot => (await reopen())?.mend(bot) ?? 0,
    open: async asked => (await begun()).open(asked),
    openFor: async (asked, id) => (await begun()).openFor(asked, id),
    accept: async (id, message) => (await opened())?.accept(id, message) ?? refused('entity.notfound'),
    read: async (id, after, size) => (await opened())?.read(id, after, size),
    newest: async (id, count) => (await opened())?.newest(id, count),
    settled: async (id, ms) => (await opened())?.settled(id, ms) ?? true,
    follow: (id, listener) => held?.follow(id, listener) ?? (() => undefined),
    owner: async id => (await opened())?.owner(id),
    live: async (channel, user) => (await opened())?.live(channel, user),
    end: async (id, reason) => (await opened())?.end(id, reason) ?? accepted({}),
    records: async () => (await opened())?.records(),
    personTypes: id => held?.personTypes?.(id),
    agents: async () => (await opened())?.agents(),
    desk: async () => (await begun()).desk(),
    forget: async id => (await opened())?.forget(id) ?? refused('entity.notfound'),
    async close() {
      await opened().catch(() => undefined)
      await close()
    },
  }
}
