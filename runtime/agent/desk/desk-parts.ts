import type { EventStore } from '#commands/store/port.ts'
import type { ConversationIndex } from '../../conversation/index/conversation-index.ts'
import type { HeartbeatBus } from '../../conversation/index/node-heartbeat.ts'
import type { BotLog } from '../../service/bot-log.ts'
import type { DeskDirectory } from './desk-directory.ts'
import type { DeskNotice } from './desk-notices.ts'
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
  readonly typing: (conversation: string, isTyping: boolean) => void
  /** The place of a waiting person may have changed. */
  readonly moved: (conversation: string) => void
  readonly notify: (notice: DeskNotice) => void
  readonly failed: (error: unknown) => void
}
