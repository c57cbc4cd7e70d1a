import { z } from 'zod'
import type { SystemText, Understood } from '#domain/conversation/effect.ts'
import type { SystemOption } from '#domain/conversation/state.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { answerReader, type SystemWire } from '../outbound/system-wire.ts'

/** A text of a conversation. */
export interface MlTalk {
  /** Id of the conversation, under which the outside system keeps its own state. */
  readonly session: string
  readonly text: string
  /** Value of the option that the person chose with the text, as the system offered it. */
  readonly chosen?: string
  /** en, pt, es. */
  readonly locale: string
}

/** Answer of an outside system; without intents if the system returns none. */
export interface MlReply extends Understood {
  readonly texts: readonly SystemText[]
  /** The unchanged answer. */
  readonly payload: Json
}

/** Parts of a connection test: the system, its key, its understanding, and a Rasa server's actions and models. */
type CheckedPart = 'system' | 'credentials' | 'understanding' | 'actions' | 'models'

/** Result of one part; its text is a version or a name, or empty. */
export interface MlCheck {
  readonly part: CheckedPart
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

/** A part of an answer. Without a text, its options belong to the text before it. */
export interface MlPart {
  readonly text: string
  readonly options?: readonly SystemOption[]
}

/** An option of a system; none without a title. A web address in `url` opens a page. */
export const optionOf = (
  title: string | null | undefined,
  value?: string | null,
  url?: string | null,
): readonly SystemOption[] => {
  const [shown, address] = [title?.trim() ?? '', url?.trim() ?? '']
  if (shown === '') return []
  const option = { title: shown, value: value?.trim() || shown }
  return [/^https?:\/\//iu.test(address) ? { ...option, value: address, url: address } : option]
}

/** Parts of an answer as messages. */
export const textsOf = (parts: readonly MlPart[]): readonly SystemText[] => {
  const texts: SystemText[] = []
  for (const { text, options = [] } of parts) {
    const last = texts.at(-1)
    if (text.trim() !== '') texts.push(options.length === 0 ? text : { text, options })
    else if (options.length > 0) {
      if (last !== undefined) texts.pop()
      const before =
        last === undefined ? { text: '', options: [] } : typeof last === 'string' ? { text: last, options: [] } : last
      texts.push({ text: before.text, options: [...before.options, ...options] })
    }
  }
  return texts
}

/** At most `max` UTF-16 units, without half a surrogate pair at the end. */
export const cutText = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
