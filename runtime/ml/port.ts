import type { Understood } from '#domain/conversation/effect.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'

/** A text of somebody's conversation. */
export interface MlTalk {
  /** Id of the conversation: the outside system keeps its own under it. */
  readonly session: string
  readonly text: string
  /** en, pt, es. */
  readonly locale: string
}

/** What an outside system answers; without intents where it tells none. */
export interface MlReply extends Understood {
  readonly texts: readonly string[]
  /** The answer as it came. */
  readonly payload: Json
}

/** What a connection test looks at: the system, its key, what understands, and what a Rasa server works with. */
type MlPart = 'system' | 'credentials' | 'understanding' | 'actions' | 'models'

/** What came of one part; its text is a version or a name, empty where there is none. */
export interface MlCheck {
  readonly part: MlPart
  readonly result: Result<string>
}

/** An outside system as a channel of a bot has it. The adapters differ in nothing that is seen from here. */
export interface MlSystem {
  /** Lets it answer. */
  send(talk: MlTalk): Promise<Result<MlReply>>
  /** Lets it understand; `ml.unsupported` where it tells no intents. */
  understand(talk: MlTalk): Promise<Result<Understood>>
  /** Looks whether it can be reached with the key that is given. Changes nothing there. */
  check(): Promise<readonly MlCheck[]>
}

export interface MlRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** JSON, or a form. */
  readonly body?: JsonObject | URLSearchParams
}

/** How adapters call: within the time of the whole call, with errors by class. */
export interface MlWire {
  /** The JSON of an answer with 2xx. */
  ask(request: MlRequest): Promise<Result<Json>>
  /** Whether an address answers with one of these statuses, whatever its body is. */
  reach(request: MlRequest, statuses: readonly number[]): Promise<Result<string>>
  /** A value that lives for a while: a token, a session. `stale` is not given again. */
  remember(
    name: string,
    fetch: () => Promise<Result<{ readonly value: string; readonly seconds: number }>>,
    stale?: string,
  ): Promise<Result<string>>
}

/** `fields` of the channel, its secrets in clear. */
export type OpenMlSystem = (fields: JsonObject, wire: MlWire) => MlSystem
