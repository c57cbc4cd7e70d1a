import type { NodeKeys } from '#commands/keys/node-keys.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import type { TurnSettings } from '#domain/conversation/release.ts'
import type { Row } from '#projections/port.ts'
import type { DriveParts } from '../agent/session/agent-drive.ts'
import type { Conversations, Releases } from '../port.ts'
import type { BotLog } from '../service/bot-log.ts'
import type { FoldedConversation } from './engine/folded-conversation.ts'
import type { ConversationIndex } from './index/index-file.ts'
import type { LifeHints } from './index/signs-of-life.ts'

/** What conversations are held with. */
export interface OpenConversations {
  readonly store: EventStore
  readonly keys: Pick<NodeKeys, 'personal' | 'index'>
  /** File of the index, which can be made again. */
  readonly file: string
  /** The store is this process's alone: turns that were broken off are its own. */
  readonly isAlone: boolean
  readonly releases: Releases
  readonly bot: (id: string) => Promise<Row | undefined>
  readonly channel: (id: string) => Promise<Row | undefined>
  /** A level and those above it. */
  readonly levelsAbove: (level: string) => Promise<readonly string[]>
  readonly settings: (bot: Row, locale: string) => Promise<TurnSettings>
  /** `model`: hash of the NLU model of the conversation's release. */
  readonly perform: (bot: Row, effect: Effect, model: string | null) => Promise<EffectAnswer>
  /** What hands people to agents. */
  readonly agents: Pick<DriveParts, 'agents' | 'timeouts' | 'webhook'>
  readonly botLog?: Pick<BotLog, 'log'>
  readonly failed: (error: unknown) => void
  /** Something happened in a conversation, here or as told by another node. */
  readonly happened?: (conversation: string) => void
  /** Between the nodes that share the store. */
  readonly hints?: LifeHints
  readonly now?: () => number
  /** Turns after which a conversation goes on in another stream. */
  readonly partTurns?: number
  /** Of this process; a test gives two of them one store. */
  readonly node?: string
}

export interface OpenedConversations extends Conversations {
  readonly index: ConversationIndex
  /** As this node reads it; undefined where there is none. */
  load(conversation: string): Promise<FoldedConversation | undefined>
  /** Opens again what is down and takes over turns that a dead node left. Answers how many (RUNTIME 95). */
  mend(bot: string): Promise<number>
  /** Removes conversations that their bots keep no longer. Answers how many. */
  sweep(): Promise<number>
  close(): Promise<void>
}
