import type { EventStore } from '#commands/store/port.ts'
import type { RowOf } from '#projections/port.ts'
import { agentHours } from '#schemas/channel-type.ts'
import type { Result } from '#schemas/refusal.ts'
import type { Fact } from '../../conversation/engine/conversation-facts.ts'
import { type FoldedConversation, lastSpoken, windowAfter } from '../../conversation/engine/folded-conversation.ts'
import type { ConversationIndex } from '../../conversation/index/conversation-index.ts'
import type { HeartbeatBus } from '../../conversation/index/node-heartbeat.ts'
import type { PersonConversations } from '../../conversation/store/person-conversations.ts'
import type { BotLog } from '../../service/bot-log.ts'
import type { DeskDirectory } from './desk-directory.ts'
import type { DeskNotice } from './desk-notices.ts'
import type { DrivenTimers } from './desk-router.ts'
import type { DeskWriterParts } from './desk-writer.ts'

/** Dependencies of Parley's own desk. */
export interface DeskParts extends DeskWriterParts {
  readonly node: string
  readonly store: EventStore
  readonly index: ConversationIndex
  readonly directory: DeskDirectory
  readonly hints: HeartbeatBus | undefined
  readonly botLog?: Pick<BotLog, 'log'> | undefined
  /** The bot's channel to the desk; undefined: the desk is not turned on for it. */
  readonly channelOf: (bot: string) => Promise<string | undefined>
  readonly channel: (id: string) => Promise<RowOf<'channel'> | undefined>
  /** `isHere`: at this node, which alone tells a provider. */
  readonly typing: (conversation: string, isTyping: boolean, isHere: boolean) => void
  /** The place of a waiting person may have changed. */
  readonly moved: (conversation: string) => void
  readonly persons: PersonConversations
  /**
   * Opens a conversation with the person of another one, with `first` as its first input, and runs its turn. `spoke`: ms
   * since 1970 of the person's last word. `isNew`: false if another node opened it before.
   */
  readonly begin: (
    before: FoldedConversation,
    begun: { readonly id: string; readonly spoke: number; readonly first: Fact },
  ) => Promise<Result<{ readonly isNew: boolean }>>
  readonly notify: (notice: DeskNotice) => void
  readonly driven?: DrivenTimers | undefined
  readonly failed: (error: unknown) => void
}

/**
 * End of the time in which an agent may write to the person of a conversation, ms since 1970; undefined: at any time.
 * `spoke`: the last word of the person.
 */
export const agentWindow = async (
  { channel }: Pick<DeskParts, 'channel'>,
  held: FoldedConversation,
  spoke = lastSpoken(held),
): Promise<number | undefined> => {
  const { channelType: type } = held
  return windowAfter(type, spoke, agentHours(type, (await channel(held.channel)) ?? {}))
}
