import { join } from 'node:path'
import type { Commands } from '#commands/command-handler.ts'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import type { NodeKeys } from '#commands/keys/secret.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels } from '#projections/port.ts'
import type { Hints } from '#realtime/cluster/hints.ts'
import type { Questions } from '#realtime/cluster/node-requests.ts'
import { DeskLink } from './agent/desk/desk-port.ts'
import { openAgents } from './agent/open-agents.ts'
import { Submissions } from './campaign/template/submit-template.ts'
import { ChannelWatch, openChannels } from './channel/open-channels.ts'
import { openGraph } from './channel/shared/graph.ts'
import { openTemplateSenders } from './channel/template/open-senders.ts'
import { openTemplateMedia } from './channel/template/template-media.ts'
import type { WorkPool } from './isolation/work.ts'
import { openMl } from './ml/open-ml.ts'
import { openNlu } from './nlu/open-nlu.ts'
import type { Call } from './outbound/call.ts'
import type { OpenSocket } from './outbound/socket.ts'
import type { RuntimeParts } from './parts.ts'
import { openReleases } from './release/releases.ts'
import { BotLogFile } from './service/bot-log.ts'
import { SharedBotLog } from './service/shared-bot-log.ts'
import type { FileStorage } from './storage/storage-port.ts'

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
      await submissions.close()
      await nlu.close()
      await close()
      botLog.close()
    },
  }
}
