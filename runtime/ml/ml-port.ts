import { z } from 'zod'
import type { Understood } from '#domain/conversation/effect.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { answerReader, type SystemWire } from '../outbound/system-wire.ts'

/** A text of a conversation. */
export interface MlTalk {
  /** Id of the conversation, under which the outside system keeps its own state. */
  readonly session: string
  readonly text: string
  /** en, pt, es. */
  readonly locale: string
}

/** Answer of an outside system; without intents if the system returns none. */
export interface MlReply extends Understood {
  readonly texts: readonly string[]
  /** The unchanged answer. */
  readonly payload: Json
}

/** Parts of a connection test: the system, its key, its understanding, and a Rasa server's actions and models. */
type MlPart = 'system' | 'credentials' | 'understanding' | 'actions' | 'models'

/** Result of one part; its text is a version or a name, or empty. */
export interface MlCheck {
  readonly part: MlPart
  readonly result: Result<string>
}

/** An outside system behind a bot's channel. All adapters look the same from here. */
export interface MlSystem {
  /** Asks for an answer. */
  send(talk: MlTalk): Promise<Result<MlReply>>
  /** Asks for the intents; `ml.unsupported` if the system returns none. */
  understand(talk: MlTalk): Promise<Result<Understood>>
  /** Tests whether the system accepts the key. Changes nothing there. */
  check(): Promise<readonly MlCheck[]>
}

/** `fields` of the channel, with decrypted secrets. */
export type OpenMlSystem = (fields: JsonObject, wire: SystemWire) => MlSystem

export const readAnswer = answerReader('ml.answer')

export const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().default(300) })

/** Asks an OAuth 2 server for a token. Such servers answer an invalid key or secret with 400. */
export const askToken = async (
  wire: SystemWire,
  url: string,
  body: URLSearchParams,
): Promise<Result<{ readonly value: string; readonly seconds: number }>> => {
  const answer = await wire.ask({ method: 'POST', url, body })
  if (!answer.ok && answer.refusal.code === 'ml.refused') {
    const { params = {} } = answer.refusal
    return refused('ml.unauthorized', { params })
  }
  const read = readAnswer(tokenAnswer, answer)
  return read.ok ? accepted({ value: read.value.access_token, seconds: read.value.expires_in }) : read
}

/** Clamped to 0…1, because systems use different scales. */
export const confidenceOf = (value: number | null | undefined): number => Math.min(1, Math.max(0, value ?? 0))

/** A text with its options, one line each. */
export const withOptions = (text: string, options: readonly string[]): string =>
  [text, ...options.map(option => `- ${option}`)].filter(line => line !== '').join('\n')

/** At most `max` UTF-16 units, without half a surrogate pair at the end. */
export const cutText = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
