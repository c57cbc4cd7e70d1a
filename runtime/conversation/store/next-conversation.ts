import type { EventStore } from '#commands/store/port.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { DeskParts } from '../../agent/desk/desk-parts.ts'
import type { Conversations } from '../../port.ts'
import type { Fact } from '../engine/conversation-facts.ts'
import type { FoldedConversation } from '../engine/folded-conversation.ts'
import type { ConversationLog, openConversationAssignment } from './log.ts'

/** The conversation that was assigned last. `unbegun`: no node opened it. Undefined: none, or it was removed. */
export const findAssigned = async (
  store: EventStore,
  log: ConversationLog,
  conversation: string | undefined,
): Promise<FoldedConversation | 'unbegun' | undefined> => {
  if (conversation === undefined) return undefined
  const held = await log.load(conversation)
  if (held !== undefined) return held
  const revision = await store.revision(conversationStream(conversation))
  // If it has events now, another node may have opened it since the load.
  return revision === 0 ? 'unbegun' : log.load(conversation)
}

interface NextParts {
  readonly assigned: ReturnType<typeof openConversationAssignment>
  readonly log: ConversationLog
  readonly store: EventStore
  readonly open: (
    asked: Parameters<Conversations['open']>[0],
    id: string,
    person: string,
    byAgent: { readonly spoke: number; readonly first: Fact },
  ) => Promise<Result<unknown>>
  readonly run: (conversation: string) => Promise<void>
}

/** Conversations that agents begin with the person of an ended one. */
export const nextConversations = ({
  assigned,
  log,
  store,
  open,
  run,
}: NextParts): Pick<DeskParts, 'newestWith' | 'beginWith'> => ({
  async newestWith({ channel, person }) {
    const newest = await assigned.newest(channel, person)
    const { conversation } = newest
    const held = conversation === undefined ? undefined : await log.refresh(conversation)
    if (held !== undefined) return { newest, held }
    const isUnbegun = (await findAssigned(store, log, conversation)) === 'unbegun'
    return { newest, ...(isUnbegun && conversation !== undefined ? { unbegun: conversation } : {}) }
  },

  async beginWith({ channel, person, user, locale }, { newest, id, spoke, first }) {
    if (newest.conversation !== id && !(await assigned.assign(channel, person, newest, id))) return accepted(null)
    const opened = await open({ channel, user, locale, begins: false }, id, person, { spoke, first })
    if (!opened.ok) return opened
    await run(id)
    return accepted((await log.load(id)) ?? null)
  },
})
