import { hash } from 'node:crypto'
import type { JsonObject } from '#schemas/event.ts'
import type { RefusalCode, Result } from '#schemas/refusal.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import { attachmentOf, ownerOf, shownName } from '../../conversation/engine/run-turn.ts'
import type { Call } from '../../outbound/call.ts'
import type { SentMessage } from '../../port.ts'
import { sniffType } from '../../storage/sniff-type.ts'
import { BotFilesFull, type FileStorage } from '../../storage/storage-port.ts'
import type { ProviderEvent, ProviderMedia } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { messageOf, readActionValue } from '../shared/message-text.ts'
import { outboundOf } from '../shared/provider-call.ts'
import type { Pause } from './inbox.ts'

/** Characters stored of a text, as in every other channel. */
const MAX_TEXT = 4_000
/** Telegram's size limit for downloads; WhatsApp's is 16 MB for files other than documents. */
const MAX_MEDIA_BYTES = 20_000_000
const MEDIA_TIMEOUT_MS = 30_000
const MAX_MEDIA = 10

type Message = Extract<ProviderEvent, { kind: 'message' }>

interface ContentParts {
  readonly call: Call
  readonly storage: Pick<FileStorage, 'put' | 'keep'>
  readonly baseUrl: () => string
  readonly load: (conversation: string) => Promise<FoldedConversation | undefined>
  /** Waits before another attempt to fetch a file. */
  readonly pause: Pause
  /** Receives a code for the bot's log, with the reason why a file was left out. */
  readonly tell: (channel: ProviderChannel, code: string, detail: string) => void
}

/** Deterministic: the same message of a channel always has the same id. */
export const messageId = (id: string): string => `p-${hash('sha256', id, 'hex').slice(0, 32)}`

/**
 * Pauses before the second to the fourth attempt. After 25 s another node may fetch too: the message is stored
 * once.
 */
const FETCH_AGAIN_MS = [1_000, 5_000, 30_000]
/** A file with an id is fetched again each minute after that: its address is looked up each time. */
const MINUTE_MS = 60_000
const ID_MS = 10 * MINUTE_MS

/** Pauses between the attempts to fetch a file. An address expires within minutes, an id does not. */
function* pausesFor({ ref }: ProviderMedia): Generator<number> {
  yield* FETCH_AGAIN_MS
  if (URL.canParse(ref)) return
  let passed = FETCH_AGAIN_MS.reduce((sum, ms) => sum + ms, 0)
  for (; passed + MINUTE_MS <= ID_MS; passed += MINUTE_MS) yield MINUTE_MS
}

/** A file, or the reason why there is none; `isLate`: another attempt may get it. */
type Fetched = { readonly content: Buffer } | { readonly reason: string; readonly isLate: boolean }

/** Another attempt may reach a host that was not reached or that was too slow. */
const LATE: ReadonlySet<RefusalCode> = new Set(['outbound.unreachable', 'outbound.timeout', 'outbound.unknown'])

const unfetched = ({ refusal: { code, params } }: Extract<Result<never>, { ok: false }>): Fetched => {
  const isLate = LATE.has(code)
  return { reason: isLate ? String(params?.reason ?? code) : code, isLate }
}

const fetchedOnce = async (
  { call }: ContentParts,
  channel: ProviderChannel,
  { ref }: ProviderMedia,
): Promise<Fetched> => {
  const { adapter, fields, values } = channel
  const request =
    adapter?.mediaRequest === undefined
      ? { ok: true as const, value: { method: 'GET' as const, url: ref, headers: [] } }
      : await adapter.mediaRequest(ref, fields, values)
  if (!request.ok) return unfetched(request)
  const answer = await call(outboundOf(request.value, MAX_MEDIA_BYTES, MEDIA_TIMEOUT_MS))
  if (!answer.ok) return unfetched(answer)
  const { status, truncated, body } = answer.value
  if (truncated) return { reason: 'size', isLate: false }
  return status >= 200 && status <= 299
    ? { content: Buffer.from(body) }
    : { reason: `http.${status}`, isLate: status === 429 || status >= 500 }
}

const fetched = async (parts: ContentParts, channel: ProviderChannel, media: ProviderMedia): Promise<Fetched> => {
  let got = await fetchedOnce(parts, channel, media)
  for (const ms of pausesFor(media)) {
    if ('content' in got || !got.isLate) return got
    await parts.pause(ms)
    got = await fetchedOnce(parts, channel, media)
  }
  return got
}

/** Whether the channel rejects a file type (D-3.1.03), judged by content, not by name. */
const isDenied = ({ fields }: ProviderChannel, type: string): boolean =>
  Array.isArray(fields.deny_attachment_types) && fields.deny_attachment_types.includes(type)

/** Undefined when the bot keeps too many bytes already. */
const stored = async ({ storage }: ContentParts, upload: Parameters<FileStorage['put']>[0]) => {
  try {
    const file = await storage.put(upload)
    await storage.keep(file.id)
    return file
  } catch (error) {
    if (error instanceof BotFilesFull) return undefined
    throw error
  }
}

/** Files are fetched at once: their addresses expire within minutes. */
const attachmentsOf = async (
  parts: ContentParts,
  channel: ProviderChannel,
  conversation: string,
  media: readonly ProviderMedia[],
): Promise<readonly JsonObject[]> => {
  const found: JsonObject[] = []
  for (const one of media.slice(0, MAX_MEDIA)) {
    const got = await fetched(parts, channel, one)
    const name = shownName(one.name ?? '')
    if ('reason' in got) {
      parts.tell(channel, 'channel.media', `${one.type || 'file'} · ${got.reason}`)
      found.push({ name, contentType: one.type, error: 'fetch' })
      continue
    }
    const { content } = got
    const type = content.length === 0 ? undefined : await sniffType(content, name)
    const refused = type === undefined ? 'type' : isDenied(channel, type) ? 'denied' : undefined
    if (refused !== undefined || type === undefined) {
      parts.tell(channel, refused === 'denied' ? 'channel.denied' : 'channel.media', type ?? (one.type || 'file'))
      found.push({ name, contentType: one.type, error: refused ?? 'type' })
    } else {
      const file = await stored(parts, { content, name, type, owner: ownerOf(conversation) })
      if (file === undefined) parts.tell(channel, 'channel.full', type)
      found.push(file === undefined ? { name, contentType: type, error: 'full' } : attachmentOf(file, parts.baseUrl()))
    }
  }
  return found
}

/** The number of a numbered option counts as a press of it; choices of prompts read numbers themselves. */
const numbered = async ({ load }: ContentParts, conversation: string, text: string) => {
  const number = /^\s*(\d{1,2})\s*[.)]?\s*$/u.exec(text)?.[1]
  if (number === undefined) return undefined
  const held = await load(conversation)
  const wait = held?.state.frames.at(-1)?.wait
  const last = held?.messages.findLast(
    ({ from, actions, source }) =>
      from === 'bot' && source === undefined && Array.isArray(actions) && actions.length > 0,
  )
  const action = Array.isArray(last?.actions) ? last.actions[Number(number) - 1] : undefined
  if (wait?.kind !== 'card' || last === undefined || typeof action !== 'object' || action === null) return undefined
  const value = 'id' in action ? action.id : undefined
  return typeof value === 'string' ? { of: last.id, value } : undefined
}

/** A provider's message, as conversations accept it. */
export const readContent = async (
  parts: ContentParts,
  channel: ProviderChannel,
  message: Message,
  conversation: string,
): Promise<SentMessage> => ({
  ...(await contentOf(parts, channel, message, conversation)),
  ...(message.time > 0 ? { written: message.time } : {}),
  ...(message.replyTo === undefined ? {} : { replyTo: message.replyTo }),
  ...(channel.adapter?.typing === undefined ? {} : { provided: message.id }),
})

/** No person types them, but some providers pass them on. */
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu

const wordsOf = (text: string): string => text.slice(0, MAX_TEXT).replaceAll(CONTROLS, '').toWellFormed()

const contentOf = async (
  parts: ContentParts,
  channel: ProviderChannel,
  { id: given, content, payload }: Message,
  conversation: string,
): Promise<SentMessage> => {
  const id = messageId(given)
  const carried = payload === undefined ? {} : { payload: payload.slice(0, MAX_TEXT).toWellFormed() }
  switch (content.kind) {
    case 'opening':
      return { id, type: 'opening', ...carried }
    case 'text': {
      const text = wordsOf(content.text)
      const pressed = await numbered(parts, conversation, text)
      return pressed === undefined ? { id, type: 'text', text, ...carried } : { id, type: 'choice', text, ...pressed }
    }
    case 'choice': {
      const pressed = readActionValue(content.value)
      const text = wordsOf(content.title)
      if (pressed === undefined)
        return { id, type: 'text', text, payload: payload ?? content.value.slice(0, MAX_TEXT).toWellFormed() }
      const of = messageOf(pressed.of, conversation)
      return { id, type: 'choice', text, of, value: pressed.value }
    }
    case 'media': {
      const attachments = await attachmentsOf(parts, channel, conversation, content.media)
      const text = wordsOf(content.text ?? '')
      if (attachments.length === 0) return { id, type: 'text', text }
      return { id, type: 'attachment', attachments, ...(text === '' ? {} : { text }) }
    }
    case 'location':
      return { id, type: 'location', data: content.data }
    case 'order':
      return {
        id,
        type: 'order',
        data: content.data,
        ...(content.of === undefined ? {} : { of: messageOf(content.of, conversation) }),
      }
    case 'contacts':
      return { id, type: 'text', text: wordsOf(JSON.stringify(content.data)) }
    default:
      return content satisfies never
  }
}
