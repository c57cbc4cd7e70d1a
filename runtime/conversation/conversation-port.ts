import type { NodeKeys } from '#commands/keys/secret.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Tracer } from '#commands/tracer.ts'
import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import type { TurnSettings } from '#domain/conversation/release.ts'
import type { RowOf } from '#projections/port.ts'
import type { DeskParts } from '../agent/desk/desk-parts.ts'
import type { DrivenTimers } from '../agent/desk/desk-router.ts'
import type { OwnDesk } from '../agent/desk/own-desk.ts'
import type { AgentLoopDependencies } from '../agent/session/agent-session-loop.ts'
import type { TurnOptOut } from '../campaign/optout/opt-outs.ts'
import type { MetricIndex } from '../metrics/metric-index.ts'
import type { recountNightly } from '../metrics/recount.ts'
import type { Meters } from '../parts.ts'
import type { Conversations, Releases, SentMessage } from '../port.ts'
import type { BotLog } from '../service/bot-log.ts'
import type { FileStorage } from '../storage/storage-port.ts'
import type { FoldedConversation, Pending } from './engine/folded-conversation.ts'
import type { ConversationIndex } from './index/conversation-index.ts'
import type { HeartbeatBus } from './index/node-heartbeat.ts'

/** Services of Parley's own desk. */
interface DeskOptions extends Pick<DeskParts, 'directory' | 'channelOf' | 'notify'> {
  readonly connect: (desk: OwnDesk) => void
}

/** Dependencies of conversations. */
export interface OpenConversations {
  readonly store: EventStore
  readonly keys: Pick<NodeKeys, 'personal' | 'index'>
  /** File of the index, which can be rebuilt. */
  readonly file: string
  /** File of the figures, which can be rebuilt. */
  readonly metricsFile: string
  /** Only this process uses the store: interrupted turns are its own. */
  readonly isAlone: boolean
  readonly releases: Releases
  readonly bot: (id: string) => Promise<RowOf<'bot'> | undefined>
  readonly channel: (id: string) => Promise<RowOf<'channel'> | undefined>
  /** A level and its ancestors. */
  readonly levelsAbove: (level: string) => Promise<readonly string[]>
  readonly settings: (bot: RowOf<'bot'>, locale: string) => Promise<TurnSettings>
  /** `model`: hash of the NLU model of the conversation's release. */
  readonly perform: (bot: RowOf<'bot'>, effect: Effect, model: string | null) => Promise<EffectAnswer>
  /** Services that hand persons over to agents. */
  readonly agents: Pick<AgentLoopDependencies, 'agents' | 'timeouts' | 'webhook' | 'keepFiles'>
  /** Parley's own desk. */
  readonly desk?: DeskOptions
  /** Hears the input of a turn as a possible opt-out, at the bot's level. */
  readonly optOut?: (
    held: FoldedConversation,
    pending: Pending,
    level: string | null,
  ) => Promise<TurnOptOut | undefined>
  /** The message that replaces a press which came too late, if it is an opt-out. */
  readonly lateOptOut?: (
    held: FoldedConversation,
    message: SentMessage,
    level: string | null,
  ) => Promise<SentMessage | undefined>
  readonly botLog?: Pick<BotLog, 'log'>
  readonly failed: (error: unknown) => void
  readonly meters?: Meters | undefined
  readonly tracer?: Tracer | undefined
  /** Called after an event in a conversation, written by this or another node. */
  readonly happened?: (conversation: string) => void
  /** Called while an agent writes to the person of a conversation. */
  readonly agentTypes?: (conversation: string) => void
  /** Files of conversations, which are removed with them. */
  readonly files?: Pick<FileStorage, 'removeOf'>
  /** Hints between the nodes that share the store. */
  readonly hints?: HeartbeatBus
  readonly now?: () => number
  /** Turns after which a conversation continues in another stream. */
  readonly partTurns?: number
  /** Id of this process; tests open two nodes on one store. */
  readonly node?: string
  /** Id of a new conversation. Default: random. */
  readonly newId?: () => string
  /**
   * For a clock that does not run: timers fire only through `fire`, and nothing is polled. Figures are not counted;
   * conversations are indexed only for a desk.
   */
  readonly driven?: DrivenTimers
}

export interface OpenedConversations extends Conversations {
  readonly index: ConversationIndex
  readonly metrics: MetricIndex
  /** State as read by this node; undefined where there is none. */
  load(conversation: string): Promise<FoldedConversation | undefined>
  /** Whether files of a conversation may exist: it is known, and its person was not forgotten. */
  mayHoldFiles(conversation: string): Promise<boolean>
  /** Reopens failed services and takes over turns of dead nodes. Returns the number of turns. */
  mend(bot: string): Promise<number>
  /** Fires the timer of a conversation that is due. */
  fire(conversation: string): Promise<void>
  /** ms since the oldest input without an answer, as far as this node knows; 0 when there is none. */
  inboxAge(): Promise<number>
  /** Inputs whose turns run on this node. */
  turnsWaiting(): number
  /** Removes conversations past their retention. Returns their number. */
  sweep(): Promise<number>
  /** Recounts a sample of the figures each night. `node`: the name of this node. */
  recount(store: EventStore, node: string): ReturnType<typeof recountNightly>
  /** Removes all conversations of a bot. Returns their number. */
  removeOf(bot: string): Promise<number>
  /** Parley's own desk; undefined where conversations run without one. */
  desk(): Promise<OwnDesk | undefined>
  close(): Promise<void>
}
