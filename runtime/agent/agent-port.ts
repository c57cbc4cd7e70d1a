import type { MessageTemplate } from '#domain/conversation/message.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import { answerReader, type SystemWire } from '../outbound/system-wire.ts'

/** Data to continue a chat in its system: ids, keys, a session. Stored sealed in the conversation's events. */
export type AgentLink = JsonObject

/** A chat to hand to an agent. */
export interface AgentChat {
  /** Unguessable and equal in every attempt: the system's events name it, and no second chat is opened under it. */
  readonly key: string
  readonly conversation: string
  readonly person: { readonly id: string; readonly name: string; readonly data: JsonObject }
  /** en, pt, es. */
  readonly locale: string
  /** Empty: the channel's queue. */
  readonly queue: string
  /** Contact, agent and fields of the block, and values that identify the person. */
  readonly fields: JsonObject
  /** Talk so far, one line per message; empty where none is wanted. Never contains a masked answer. */
  readonly transcript: string
  /** The last text of the person; empty where there is none. */
  readonly said: string
  /** URL to which the system sends its events. */
  readonly webhook: string
}

/** A message of the person. `id` is the same in every attempt. */
export interface AgentMessage {
  readonly id: string
  readonly text: string
  /** Files as URLs that work for anyone who knows them. */
  readonly files: readonly AgentFile[]
}

interface AgentFile {
  readonly name: string
  readonly type: string
  readonly url: string
}

/** An agent as shown to the person; fields that the system does not send are empty. */
export interface AgentPerson {
  readonly name: string
  /** URL of a picture. */
  readonly avatar: string
}

/** Event of a chat. `id` is the system's: an event received twice is handled once. */
export type AgentEvent =
  | { readonly kind: 'queued'; readonly id: string; readonly position?: number }
  | { readonly kind: 'joined'; readonly id: string; readonly agent: AgentPerson }
  | {
      readonly kind: 'message'
      readonly id: string
      /** `system`: a comment of the system, not of an agent. */
      readonly from: 'agent' | 'system'
      /** The person reads it although comments of the system are not shown. */
      readonly isShown?: true
      readonly agent?: AgentPerson
      readonly text: string
      readonly files?: readonly AgentFile[]
      /** The template with its values that is sent in place of the text outside the channel's window. */
      readonly template?: MessageTemplate
    }
  | { readonly kind: 'typing'; readonly isTyping: boolean }
  /** The system sent something that cannot be read. */
  | { readonly kind: 'unread' }
  /** The chat moves to another agent or queue. */
  | { readonly kind: 'transferred'; readonly id: string }
  /** The agent left; the chat remains open. */
  | { readonly kind: 'left'; readonly id: string }
  | { readonly kind: 'closed'; readonly id: string }
  /** The system gave up the chat. */
  | { readonly kind: 'error'; readonly id: string; readonly code: string }

/** Events of the chat with this key. */
interface ReceivedEvents {
  readonly key: string
  readonly events: readonly AgentEvent[]
}

/** An incoming request of the system, as received. */
export interface AgentRequest {
  /** Path after the channel's webhook, without a leading slash. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

/** Result of a call: the link if it changed, and the events in the answer. */
export interface AgentStep {
  readonly link?: AgentLink
  readonly events?: readonly AgentEvent[]
}

/** Socket that delivers events until it is closed or breaks. */
export interface AgentSocket {
  close(): void
}

export interface SocketListener {
  step(step: AgentStep): void
  /** The socket broke, or could not be opened. */
  ended(): void
}

/** Parts that a connection test checks. */
type AgentPart = 'system' | 'credentials' | 'queue' | 'agents' | 'profile'

/** Result for one part; its text is a version or a name, empty where there is none. */
export interface AgentCheck {
  readonly part: AgentPart
  readonly result: Result<string>
}

/** `isAgain`: an earlier attempt may have succeeded; actions that the system can recognize are not done twice. */
interface Attempt {
  readonly isAgain: boolean
}

/**
 * An agent system as a channel of a bot uses it. All adapters behave alike for their callers. Calls return `agent.gone`
 * when the chat no longer exists in the system.
 */
export interface AgentSystem {
  /** Whether an agent can take a chat of this queue. Absent where a system does not report it. */
  available?(queue: string): Promise<Result<boolean>>
  open(chat: AgentChat, attempt: Attempt): Promise<Result<AgentStep & { readonly link: AgentLink }>>
  /** A message whose delivery is unknown, and which the system cannot recognize, is not sent again. */
  say(link: AgentLink, message: AgentMessage, attempt: Attempt): Promise<Result<AgentStep>>
  close(link: AgentLink): Promise<Result<AgentStep>>
  /** Tells the agent that the person writes. */
  typing?(link: AgentLink): Promise<Result<AgentStep>>
  /**
   * Called after each event of the chat, and at the moment that it returned last (ms since 1970): the system does what
   * its own times ask for.
   */
  due?(link: AgentLink): Promise<number>
  /** The system itself ends chats by time: the times of the conversation settings do not count, and `agent.nobody` is final. */
  readonly keepsTimes?: true
  /** Fetches new events; a long poll where the system supports one. `isWaiting`: no agent is there yet. */
  poll?(link: AgentLink, isWaiting?: boolean): Promise<Result<AgentStep>>
  /** ms between two polls. */
  readonly pollPause?: number
  /** Opens the socket that carries all other traffic; `say` and `close` need it. */
  connect?(link: AgentLink, listener: SocketListener): AgentSocket
  /** Whether a request is proven to come from the system: by its headers and path, else by its bytes as well. */
  isProven?(request: Omit<AgentRequest, 'body'>, bytes?: Uint8Array): boolean
  /** Whether the proof needs the bytes of the body. */
  readonly isProvenByBody?: true
  /** Reads a proven request of the system. */
  receive?(request: AgentRequest): Result<readonly ReceivedEvents[]> | Promise<Result<readonly ReceivedEvents[]>>
  /** Answer to a request that was read; default: 200 and `{}`. */
  readonly answer?: { readonly status: number; readonly body: Json }
  /** Fetches an agent's file, with the key of the channel where it is the system's own. */
  fetchFile?(url: string): Promise<Result<Uint8Array>>
  /** Checks whether the system is reachable with the given key. Changes nothing there. */
  check(): Promise<readonly AgentCheck[]>
}

/** `fields` of the channel, its secrets in clear. */
export type OpenAgentSystem = (fields: JsonObject, wire: SystemWire) => AgentSystem

export const readAnswer = answerReader('agent.answer')

export const numberOf = (fields: JsonObject, name: string, otherwise: number): number => {
  const value = fields[name]
  return typeof value === 'number' ? value : otherwise
}

export const agentOf = (name: string | null | undefined, avatar = ''): AgentPerson => ({ name: name ?? '', avatar })

/** A text with its files as addresses, for systems that take no files. */
export const withFiles = (text: string, files: readonly { readonly name: string; readonly url: string }[]): string =>
  [text, ...files.map(({ name, url }) => `${name}: ${url}`)].filter(line => line !== '').join('\n')
