import type { Json, JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'

/** What an agent system needs to go on with a chat: ids, keys, a session. Kept sealed in the conversation's events. */
export type AgentLink = JsonObject

/** A chat that is to be handed to an agent. */
export interface AgentChat {
  /** Unguessable, and the same with every attempt: the system's events name it, and nothing is opened twice under it. */
  readonly key: string
  readonly conversation: string
  readonly person: { readonly id: string; readonly name: string; readonly data: JsonObject }
  /** en, pt, es. */
  readonly locale: string
  /** Empty: the channel's own. */
  readonly queue: string
  /** Contact, agent and fields of the block, and values that the person is known by. */
  readonly fields: JsonObject
  /** What was said so far, a line each; empty where none is wanted. Never a masked answer. */
  readonly transcript: string
  /** The last thing that the person said; empty where that is nothing. */
  readonly said: string
  /** Address at which the system tells what happens. */
  readonly webhook: string
}

/** What a person says. `id` is the same with every attempt. */
export interface AgentMessage {
  readonly id: string
  readonly text: string
  /** Files, as addresses that whoever knows them can open. */
  readonly files: readonly AgentFile[]
}

interface AgentFile {
  readonly name: string
  readonly type: string
  readonly url: string
}

/** An agent as the person sees them; fields that the system does not tell are empty. */
export interface AgentPerson {
  readonly name: string
  /** Address of a picture. */
  readonly avatar: string
}

/** What happens in a chat. `id` is the system's: the same event twice is worked off once. */
export type AgentEvent =
  | { readonly kind: 'queued'; readonly id: string; readonly position?: number }
  | { readonly kind: 'joined'; readonly id: string; readonly agent: AgentPerson }
  | {
      readonly kind: 'message'
      readonly id: string
      /** `system`: a comment of the system itself. */
      readonly from: 'agent' | 'system'
      readonly agent?: AgentPerson
      readonly text: string
      readonly files?: readonly AgentFile[]
    }
  | { readonly kind: 'typing'; readonly isTyping: boolean }
  /** It goes to another agent or queue. */
  | { readonly kind: 'transferred'; readonly id: string }
  /** The agent left; the chat is not over. */
  | { readonly kind: 'left'; readonly id: string }
  | { readonly kind: 'closed'; readonly id: string }
  /** The system gave the chat up. */
  | { readonly kind: 'error'; readonly id: string; readonly code: string }

/** What happened in the chat with this key. */
interface ReceivedEvents {
  readonly key: string
  readonly events: readonly AgentEvent[]
}

/** A request of the system as it came. */
export interface AgentRequest {
  /** Path after the channel's webhook, without a slash at its beginning. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

/** What came of a call: the link where it changed, and what the answer told. */
export interface AgentStep {
  readonly link?: AgentLink
  readonly events?: readonly AgentEvent[]
}

/** A socket that tells what happens, until it is closed or breaks off. */
export interface AgentSocket {
  close(): void
}

interface SocketListener {
  step(step: AgentStep): void
  /** It broke off, or never came to be. */
  ended(): void
}

/** What a connection test looks at. */
type AgentPart = 'system' | 'credentials' | 'queue' | 'agents' | 'profile'

/** What came of one part; its text is a version or a name, empty where there is none. */
export interface AgentCheck {
  readonly part: AgentPart
  readonly result: Result<string>
}

/** `isAgain`: whether it was done before is not known; what can be recognized there is not done twice. */
interface Attempt {
  readonly isAgain: boolean
}

/**
 * An agent system as a channel of a bot has it. The adapters differ in nothing that is seen from here. `agent.gone` is
 * answered where the chat is not there any more.
 */
export interface AgentSystem {
  /** Whether somebody is there who can take a chat of this queue. Left out where a system tells it of nobody. */
  available?(queue: string): Promise<Result<boolean>>
  open(chat: AgentChat, attempt: Attempt): Promise<Result<AgentStep & { readonly link: AgentLink }>>
  /** A message whose fate is unknown, and which cannot be recognized there, is not sent again. */
  say(link: AgentLink, message: AgentMessage, attempt: Attempt): Promise<Result<AgentStep>>
  close(link: AgentLink): Promise<Result<AgentStep>>
  /** Asks what happened; waits at the system for it, where that can be done. */
  poll?(link: AgentLink): Promise<Result<AgentStep>>
  /** ms between two polls. */
  readonly pollPause?: number
  /** Opens the socket over which all else goes; `say` and `close` need it. */
  connect?(link: AgentLink, listener: SocketListener): AgentSocket
  /** Reads a request of the system; refuses what is not proven to be its. */
  receive?(request: AgentRequest): Result<readonly ReceivedEvents[]>
  /** Looks whether it can be reached with the key that is given. Changes nothing there. */
  check(): Promise<readonly AgentCheck[]>
}

export interface AgentCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: JsonObject
  /** ms; the channel's own where none is given. */
  readonly timeout?: number
}

/** What is answered, whatever its status is. */
export interface AgentAnswer {
  readonly status: number
  /** Undefined: no JSON. */
  readonly body: Json | undefined
}

/** How adapters call. */
export interface AgentWire {
  /** Once more where it was surely not taken; `agent.unreachable` or an outbound refusal where there is no answer. */
  call(request: AgentCall): Promise<Result<AgentAnswer>>
  /** The JSON of an answer with 2xx, else a refusal by class. */
  ask(request: AgentCall): Promise<Result<Json>>
  /** The refusal of an answer that is not what was asked for. */
  refusal(answer: AgentAnswer): Result<never>
  /** A value that lives for a while: a token. `stale` is not given again. */
  remember(
    name: string,
    fetch: () => Promise<Result<{ readonly value: string; readonly seconds: number }>>,
    stale?: string,
  ): Promise<Result<string>>
}

/** `fields` of the channel, its secrets in clear. */
export type OpenAgentSystem = (fields: JsonObject, wire: AgentWire) => AgentSystem
