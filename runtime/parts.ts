import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Commands } from '#commands/command-handler.ts'
import type { NodeKeys } from '#commands/keys/secret.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Tracer } from '#commands/tracer.ts'
import type { EffectAnswer } from '#domain/conversation/effect.ts'
import type { ReadModels } from '#projections/port.ts'
import type { Settings } from '#schemas/settings.ts'
import type { DeskLink } from './agent/desk/desk-port.ts'
import type { Agents } from './agent/open-agents.ts'
import type { Submissions } from './campaign/template/submit-template.ts'
import type { Channels, ChannelWatch } from './channel/open-channels.ts'
import type { TemplateSenders } from './channel/template/open-senders.ts'
import type { SimulatedNumbers } from './channel/whatsapp-simulated/simulated-numbers.ts'
import type { WorkPool } from './isolation/work.ts'
import type { Ml } from './ml/open-ml.ts'
import type { Nlu } from './nlu/open-nlu.ts'
import type { Call } from './outbound/call.ts'
import type { Releases } from './port.ts'
import type { BotLog } from './service/bot-log.ts'
import type { SharedBotLog } from './service/shared-bot-log.ts'
import type { FileStorage } from './storage/storage-port.ts'

/** Counters of the parts that run bots and campaigns. */
export interface Meters {
  /** A turn was stored. `result`: `done`, `internal` or the limit that it exceeded; `ms` from its begin. */
  turned(result: string, ms: number): void
  /** An effect was carried out. */
  performed(answer: EffectAnswer): void
  /** A provider was called with a message. `outcome`: `sent`, `final`, `unknown`, `unauthorized` or `retry`. */
  delivered(channelType: string, outcome: string): void
  /** A webhook was called with an event. */
  called(outcome: 'arrived' | 'failing' | 'givenup'): void
  /** This node took over work of another node. `sender`: the number of a campaign whose run had begun. */
  tookOver(work: 'turn' | 'agentchat' | 'sender'): void
}

interface Log {
  warn(line: string): void
  error(error: unknown): void
}

/** Dependencies of the parts that run bots and campaigns. */
export interface RuntimeParts {
  readonly settings: Settings
  readonly log: Log
  readonly meters?: Meters
  readonly tracer?: Tracer
  readonly store: EventStore
  readonly keys: NodeKeys
  readonly commands: Commands
  readonly read: ReadModels
  /** `watch`: followers of this store that are older than 10 s make the node not ready. */
  readonly readiness: { watch(store: EventStore): void }
  readonly storage: FileStorage
  /** Sends requests to addresses that people configured. */
  readonly call: Call
  readonly releases: Releases
  readonly botLog: BotLog
  /** The logs of all nodes. */
  readonly botLogs: Pick<SharedBotLog, 'read'>
  readonly nlu: Nlu
  readonly ml: Ml
  readonly agents: Agents
  /** Connects the agent system `parley` to the desk of this node. */
  readonly deskLink: DeskLink
  readonly submissions: Pick<Submissions, 'admit' | 'drop'>
  readonly channels: Channels
  /** Numbers that send templates. */
  readonly senders: TemplateSenders
  /** Signature of the addresses from which providers load files of templates. */
  readonly mediaSignature: (text: string) => string
  /** Signs of the channels' health that are in no log. */
  readonly channelWatch: ChannelWatch
  /** Numbers of WhatsApp that the gateway simulates. */
  readonly simulated: SimulatedNumbers
  /** Processes for work on foreign input. */
  readonly work: WorkPool
  /** Base of links, without a trailing slash. Known once the gateway listens. */
  publicUrl(): string
}

/** Name of this node for people. Two gateways on one machine differ by their process. */
export const NODE_NAME = `${hostname()}-${process.pid}`

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export const VERSION = manifest.version
