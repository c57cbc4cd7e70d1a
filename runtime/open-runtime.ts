import { join } from 'node:path'
import type { Commands } from '#commands/command-handler.ts'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import type { NodeKeys } from '#commands/keys/secret.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import type { Hints } from '#realtime/cluster/hints.ts'
import type { Questions } from '#realtime/cluster/node-requests.ts'
import { DeskLink } from './agent/desk/desk-port.ts'
import { openAgents } from './agent/open-agents.ts'
import { ProviderNotices } from './campaign/meta/provider-notices.ts'
import { Submissions } from './campaign/template/submit-template.ts'
import { ChannelWatch, openChannels } from './channel/open-channels.ts'
import { openGraph } from './channel/shared/graph.ts'
import { openTemplateSenders } from './channel/template/open-senders.ts'
import { openTemplateMedia } from './channel/template/template-media.ts'
import type { LazyConversations } from './conversation/compose-conversations.ts'
import type { WorkPool } from './isolation/work.ts'
import { openMl, understandWithMlSystem } from './ml/open-ml.ts'
import { openNlu } from './nlu/open-nlu.ts'
import { responsesForBot } from './nlu/understand-for-bot.ts'
import type { Call } from './outbound/call.ts'
import type { OpenSocket } from './outbound/socket.ts'
import { NODE_NAME, type RuntimeParts, VERSION } from './parts.ts'
import { openReleases } from './release/releases.ts'
import { BotLogFile } from './service/bot-log.ts'
import { BotServices, localServices, ServiceRecord } from './service/bot-services.ts'
import { RunningNlu } from './service/running-nlu.ts'
import { SharedBotLog } from './service/shared-bot-log.ts'
import type { FileStorage } from './storage/storage-port.ts'

interface OpenServices {
  readonly parts: RuntimeParts
  readonly hints: Hints
  readonly conversations: LazyConversations
  /** Undefined: the store accepts writes. */
  readonly refusesWrites: () => string | undefined
  readonly isShared: boolean
}

/** A live node applies a setting within this time. */
const TAKEN_UP_MS = 5_000

/** Checks once for all bots that ask at about the same time. */
const openBehind = ({ read, store }: Pick<RuntimeParts, 'read' | 'store'>): (() => Promise<boolean>) => {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<boolean> = Promise.resolve(false)
  return () => {
    if (performance.now() - asked > TAKEN_UP_MS) {
      asked = performance.now()
      answer = store.head().then(async head => !(await read.reached(head, TAKEN_UP_MS)))
    }
    return answer
  }
}

/** The services of the bots that this gateway runs. */
export const openServices = ({ parts, hints, conversations, refusesWrites, isShared }: OpenServices): BotServices => {
  const { read, store, botLog, releases, log } = parts
  const local = {
    read,
    refusesWrites,
    openLog: conversations.opened,
    loadRelease: releases.newest,
    isBehind: openBehind(parts),
    hasNlu: async (bot: RowOf<'bot'>) =>
      understandWithMlSystem(parts, bot) !== undefined || (await responsesForBot(parts, bot)) !== undefined,
  }
  return new BotServices({
    hints,
    read,
    record: new ServiceRecord(store, read),
    local: bot => localServices(bot, local),
    mend: conversations.mend,
    botLog,
    node: NODE_NAME,
    version: VERSION,
    isShared,
    failed: error => log.error(error),
  })
}

/** Whether bots have applied changes of their NLU. Without NATS_URL this node counts alone: no other can be heard. */
export const openRunningNlu = (parts: RuntimeParts, hints: Hints, services: BotServices): RunningNlu => {
  const { read, store, releases, nlu, settings, log } = parts
  return new RunningNlu({
    hints,
    store,
    read,
    releases,
    nlu,
    isOutside: bot => understandWithMlSystem(parts, bot) !== undefined,
    othersOf: bot => services.othersOf(bot),
    hearsAll: () => settings.NATS_URL === undefined || services.hearsAll(),
    failed: error => log.error(error),
  })
}

interface OpenRuntime {
  readonly store: EventStore
  readonly flows: FlowLog
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'execute' | 'openFields'>
  readonly storage: FileStorage
  readonly call: Call
  readonly openSocket: OpenSocket
  readonly work: WorkPool
  /** Base URL of Meta, with its version. */
  readonly graphUrl: string
  readonly hints: Hints
  readonly questions: Questions
  readonly isShared: boolean
  readonly keys: Pick<NodeKeys, 'index'>
  /** The log of conversations and campaigns, which is opened later. */
  readonly conversationLog: () => Promise<EventStore>
  /** Base of the bots' addresses, without a trailing slash. */
  readonly baseUrl: () => string
  /** Folder of the installation's data. */
  readonly folder: string
  readonly failed: (error: unknown) => void
}

interface OpenedRuntime
  extends Pick<
    RuntimeParts,
    | 'deskLink'
    | 'releases'
    | 'botLog'
    | 'botLogs'
    | 'nlu'
    | 'ml'
    | 'agents'
    | 'submissions'
    | 'channels'
    | 'channelWatch'
    | 'senders'
    | 'mediaSignature'
  > {
  close(): Promise<void>
}

/** Opens the services that running bots need beside their conversations. */
export const openRuntime = ({ folder, ...options }: OpenRuntime): OpenedRuntime => {
  const botLog = new BotLogFile({ file: join(folder, 'botlog.sqlite'), failed: options.failed })
  const nlu = openNlu(options)
  const { releases, close } = openReleases(options)
  const channels = openChannels(options)
  const mediaSignature = (text: string) => options.keys.index.hmac(`template file ${text}`)
  const media = openTemplateMedia({ ...options, store: options.conversationLog, sign: mediaSignature, now: Date.now })
  const senders = openTemplateSenders({ ...options, channels, media })
  const graph = openGraph(options.call, options.graphUrl)
  const submissions = new Submissions({ ...options, graph, senders })
  const notices = new ProviderNotices(options.store, options.failed)
  const deskLink = new DeskLink(options.questions)
  return {
    releases,
    botLog,
    botLogs: new SharedBotLog({ botLog, questions: options.questions }),
    nlu,
    ml: openMl({ ...options, botLog }),
    deskLink,
    agents: openAgents({ ...options, desk: deskLink }),
    submissions,
    channels,
    senders,
    mediaSignature,
    channelWatch: new ChannelWatch(),
    async close() {
      await Promise.all([submissions.close(), notices.close()])
      await nlu.close()
      await close()
      botLog.close()
    },
  }
}
