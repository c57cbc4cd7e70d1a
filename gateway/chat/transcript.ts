import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ChatMessage, Conversations } from '#runtime/port.ts'
import { MAX_TRANSCRIPT_PAGE } from '#schemas/api/chat.ts'
import { textOf } from '#schemas/json.ts'

type Reader = Pick<Conversations, 'read'>

/** Part of a transcript that a caller asks for; without both members it is the whole. */
interface TranscriptPart {
  readonly after?: string | undefined
  readonly size?: number | undefined
}

interface TranscriptPage {
  readonly messages: readonly ChatMessage[]
  /** Position after which the next page begins; null: there is no other. */
  readonly next: string | null
}

/** Undefined where there is no such conversation. */
export const transcriptPage = async (
  conversations: Reader,
  conversation: string,
  { after = '', size = MAX_TRANSCRIPT_PAGE }: TranscriptPart,
): Promise<TranscriptPage | undefined> => {
  const page = await conversations.read(conversation, after, size + 1)
  if (page === undefined) return undefined
  const messages = page.messages.slice(0, size)
  return { messages, next: page.messages.length > size ? (messages.at(-1)?.position ?? null) : null }
}

/** Waits until so many messages may be read. */
export type Pace = (messages: number) => Promise<void>

const PACE_S = 1

/** Slows a download down to what its caller may read in a minute; a download that began is not refused. */
export const paceOf = (app: FastifyInstance, request: FastifyRequest): Pace => {
  const place = app.openDoor.placeOf(request)
  return async messages => {
    for (;;) {
      if (messages === 0 || request.raw.destroyed) return
      const seconds = app.openDoor.take('read', place, messages)
      if (seconds === undefined) return
      await pause(Math.min(seconds, PACE_S) * 1000, undefined, { ref: false })
    }
  }
}

/**
 * All messages, page by page, one page of them in memory.
 * @throws when the conversation is forgotten meanwhile: a transcript that ends early would look whole
 */
async function* allPages(
  conversations: Reader,
  conversation: string,
  first: TranscriptPage,
  pace: Pace,
): AsyncGenerator<readonly ChatMessage[]> {
  for (let page = first; ; ) {
    await pace(page.messages.length)
    yield page.messages
    if (page.next === null) return
    const following = await transcriptPage(conversations, conversation, { after: page.next })
    if (following === undefined) throw new Error('the conversation was forgotten while its transcript was read')
    page = following
  }
}

interface WrittenTranscript {
  readonly begin: string
  readonly end: string
  readonly separator: string
  /** Text of one message. */
  write(message: ChatMessage): string
}

/** The whole transcript as it is read. */
export async function* transcriptText(
  source: {
    readonly conversations: Reader
    readonly conversation: string
    readonly first: TranscriptPage
    readonly pace?: Pace
  },
  { begin, end, separator, write }: WrittenTranscript,
): AsyncGenerator<string> {
  const { conversations, conversation, first, pace = async () => undefined } = source
  let before = begin
  for await (const messages of allPages(conversations, conversation, first, pace)) {
    const texts = messages.map(write)
    if (texts.length > 0) {
      yield before + texts.join(separator)
      before = separator
    }
  }
  yield (before === begin ? begin : '') + end
}

/** One line of a message in words: its text, else its title, else its type. */
const wordsOf = (message: ChatMessage): string => {
  const actions = Array.isArray(message.actions) ? message.actions : []
  const titles = actions.map(action => textOf((action as { title?: unknown }).title)).filter(title => title !== '')
  const said = textOf(message.text) || textOf(message.title) || textOf(message.address) || `[${message.type}]`
  return titles.length === 0 ? said : `${said} [${titles.join('] [')}]`
}

const lineOf = (message: ChatMessage): string => `${message.time} ${message.from}: ${wordsOf(message)}\n`

export const asText: WrittenTranscript = { begin: '', end: '', separator: '', write: lineOf }

/** `{conversation, messages, next}`; `next` is null, because the whole is in it. */
export const asJson = (conversation: string, write: (message: ChatMessage) => unknown): WrittenTranscript => ({
  begin: `{"conversation":${JSON.stringify(conversation)},"messages":[`,
  end: '],"next":null}',
  separator: ',',
  write: message => JSON.stringify(write(message)),
})

export const asList = (write: (message: ChatMessage) => unknown): WrittenTranscript => ({
  begin: '[',
  end: ']',
  separator: ',',
  write: message => JSON.stringify(write(message)),
})

export const pageText = (messages: readonly ChatMessage[]): string => messages.map(lineOf).join('')

/** `Link` of a page, with the address of the next one (RFC 8288). */
export const nextLink = ({ url }: FastifyRequest, { next }: TranscriptPage): Readonly<Record<string, string>> => {
  if (next === null) return {}
  const [path = '', query = ''] = url.split('?')
  const params = new URLSearchParams(query)
  params.set('after', next)
  return { link: `<${path}?${params}>; rel="next"` }
}
