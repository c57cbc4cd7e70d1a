import type { FastifyBaseLogger } from 'fastify'
import type { Tracer } from '#commands/tracer.ts'
import type { Conversations } from '#runtime/port.ts'
import type { FileStorage } from '#runtime/storage/storage-port.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Settings } from '#schemas/settings.ts'

import type { RateLimits } from '../http/rate-limit.ts'

/** A channel of a bot with its secrets in clear. */
export interface ChatChannel {
  readonly id: string
  readonly bot: string
  readonly type: string
  readonly isEnabled: boolean
  /** Empty: none is set. */
  readonly verifyToken: string
  readonly origins: readonly string[]
  readonly deniedTypes: readonly string[]
}

/** Settings of a chat beside its messages. */
interface Appearance {
  readonly theme: JsonObject | null
  readonly menu: readonly JsonObject[]
  /** Messages shown when a conversation is taken up again. */
  readonly historyLength: number
  /** False: a kept token continues no conversation. */
  readonly isRemembered: boolean
}

/** Dependencies of the chat API. */
export interface ChatParts {
  readonly rates: RateLimits
  readonly settings: Pick<Settings, 'TRUSTED_PROXIES' | 'UPLOAD_MB_CHAT'>
  readonly log: Pick<FastifyBaseLogger, 'error' | 'warn'>
  readonly conversations: Conversations
  readonly tracer?: Tracer | undefined
  readonly storage: Pick<FileStorage, 'receive' | 'find' | 'open' | 'keep'>
  /** Under the index key of the nodes, hex. */
  hmac(text: string): Promise<string> | string
  channel(id: string): Promise<ChatChannel | undefined>
  appearance(channel: ChatChannel): Promise<Appearance>
  /** Notes a page that the channel does not allow. */
  refusedOrigin?(channel: ChatChannel, origin: string): void
  /** Notes a page of a site on which a conversation began. */
  openedOrigin?(channel: ChatChannel, origin: string): void
  /** Base of the chat's addresses, without a slash at its end: BOT_ROUTER_URL, else the gateway's own. */
  baseUrl(): string
  readonly now?: () => number
  readonly limits?: Partial<ChatLimits>
}

export interface ChatLimits {
  readonly sockets: number
  readonly socketsPerSource: number
  readonly listenersPerConversation: number
  /** Pending bytes of a listener that delay the next message. */
  readonly bufferBytes: number
  /** A listener that stays behind for this long is closed. */
  readonly slowMs: number
  readonly pingMs: number
  /** A REST call waits this long for its turn to end. */
  readonly restWaitMs: number
}

const CHAT_LIMITS: ChatLimits = {
  sockets: 10_000,
  socketsPerSource: 2_000,
  listenersPerConversation: 10,
  bufferBytes: 262_144,
  slowMs: 10_000,
  pingMs: 25_000,
  restWaitMs: 10_000,
}

export const limitsOf = ({ limits }: ChatParts): ChatLimits => ({ ...CHAT_LIMITS, ...limits })
