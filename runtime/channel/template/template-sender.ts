import { classifySendError, type SendOutcome } from '#domain/campaign/delivery.ts'
import { classifyProviderError } from '#domain/campaign/provider-error.ts'
import { simulationConflict } from '#domain/campaign/simulated-number.ts'
import type { MediaHeader, TemplateMessage } from '#domain/template/template-message.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { templateProvider } from '#schemas/template-provider.ts'
import type { Call } from '../../outbound/call.ts'
import type { ProviderAnswer, ProviderRequest, ReadAnswer, SendResult, TemplateSender } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import type { Graph, GraphCredentials } from '../shared/graph.ts'
import { answerOf, outboundOf, retryAfter } from '../shared/provider-call.ts'
import { cloudTemplateBody, cloudUpload } from '../whatsapp-cloud/cloud-messages.ts'
import type { TemplateMedia } from './template-media.ts'

const TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 1_000_000

/** A bug of ours: the message may have been sent before the error. */
const LOST: SendResult = { kind: 'unknown', reason: 'answer' }

/** Nothing was sent. */
const unsent = (provider: string, { code, params = {} }: Refusal): SendOutcome => {
  if (code === 'channel.message') return { kind: 'failed', reason: 'unsupported', isDefect: true, stopped: false }
  if (code === 'channel.token') return { kind: 'pause', reason: 'credentials' }
  if (code === 'channel.media') return { kind: 'pause', reason: 'media' }
  if (code === 'channel.answer' && params.code !== undefined)
    return classifyProviderError(provider, String(params.code))
  return { kind: 'again', reason: 'network', most: 5, slow: true }
}

/** Outcome of an answer: only a 2xx with an id proves that the provider took the message. */
const outcomeOf = (provider: string, { id, code, isHeld = false }: ReadAnswer, answer: ProviderAnswer): SendResult => {
  const { status } = answer
  if (status >= 500 || status < 200) return { kind: 'unknown', reason: String(status) }
  const after = retryAfter(answer)
  const wait = after === 0 ? {} : { after }
  if (status === 429) return { kind: 'again', reason: '429', most: Number.POSITIVE_INFINITY, slow: true, ...wait }
  if (status >= 300 && status < 400) return { kind: 'unknown', reason: String(status) }
  if (status >= 400 || code !== '') {
    const outcome = classifyProviderError(provider, code === '' ? `http.${status}` : code)
    return outcome.kind === 'again' ? { ...outcome, ...wait } : outcome
  }
  return id === '' ? LOST : { kind: 'accepted', id, isHeld }
}

/** A message whose files the provider can load. */
const withMedia = async (
  message: TemplateMessage,
  sourceOf: (file: string) => Promise<Result<Pick<MediaHeader, 'source' | 'filename'>>>,
): Promise<Result<TemplateMessage>> => {
  const loaded = async <Header extends TemplateMessage['header']>(header: Header): Promise<Result<Header>> => {
    if (header === undefined || !('source' in header) || header.source.from !== 'file') return accepted(header)
    const found = await sourceOf(header.source.file)
    if (!found.ok) return found
    const { source, filename } = found.value
    return accepted({ ...header, source, filename: header.kind === 'document' ? filename : '' })
  }
  const header = await loaded(message.header)
  if (!header.ok) return header
  const cards: TemplateMessage['cards'][number][] = []
  for (const card of message.cards) {
    const own = await loaded(card.header)
    if (!own.ok) return own
    cards.push({ ...card, header: own.value })
  }
  return accepted({ ...message, ...(header.value === undefined ? {} : { header: header.value }), cards })
}

interface SenderParts {
  readonly call: Call
  readonly media: TemplateMedia
  readonly failed: (error: unknown) => void
}

/** The sender of a channel; undefined when its provider sends no templates. */
export const channelTemplateSender = (
  { call, media, failed }: SenderParts,
  { type, fields, adapter, values }: ProviderChannel,
  number: string,
): TemplateSender | undefined => {
  const templates = adapter?.templates
  const provider = templateProvider(type)
  if (adapter === undefined || templates === undefined || provider === undefined) return undefined
  const ask = async (request: ProviderRequest) => {
    const authorized = await adapter.authorize(request, fields, values)
    if (!authorized.ok) return authorized
    return values.ask(authorized.value)
  }
  const sourceOf = (file: string) =>
    templates.upload === undefined
      ? media.link(file)
      : media.uploaded(number, file, async content =>
          uploadedId(await ask(templates.upload?.(content, fields) as ProviderRequest)),
        )
  const { list, submit } = templates
  return {
    provider: type,
    settles: provider.settles,
    async send(message, to, key) {
      const conflict = simulationConflict(false, to)
      if (conflict !== undefined) return classifySendError({ code: 'meta.simulated', params: { error: conflict } })
      const ready = await withMedia(message, sourceOf)
      if (!ready.ok) return unsent(type, ready.refusal)
      const rendered = await templates.render(ready.value, to, fields, key, values)
      if (!rendered.ok) return unsent(type, rendered.refusal)
      const request = await adapter.authorize(rendered.value, fields, values)
      if (!request.ok) return unsent(type, request.refusal)
      const outbound = outboundOf(request.value, MAX_ANSWER_BYTES, TIMEOUT_MS)
      const answer = await call({ ...outbound, maxRedirects: 0, isFrequent: true }).catch((error: unknown) => {
        failed(error)
        return undefined
      })
      if (answer === undefined) return LOST
      if (!answer.ok) return classifySendError(answer.refusal)
      const told = answerOf(answer.value)
      return outcomeOf(type, await templates.read(told, key, fields, values), told)
    },
    ...(list === undefined ? {} : { list: () => list(fields, values) }),
    ...(submit === undefined
      ? {}
      : { submit: template => submit(template, fields, values, async file => linkOnly(await media.link(file))) }),
  }
}

const linkOnly = (found: Result<Pick<MediaHeader, 'source'>>): Result<string> =>
  !found.ok ? found : found.value.source.from === 'link' ? accepted(found.value.source.url) : refused('channel.media')

const uploadedId = (answer: Result<ProviderAnswer>): Result<string> => {
  if (!answer.ok) return answer
  const { status, body } = answer.value
  const id = isObject(body) ? body.id : undefined
  return status < 300 && typeof id === 'string' && id !== '' ? accepted(id) : refused('channel.media')
}

/** Id of a message that Meta accepted, and whether Meta holds it; undefined for an answer without a message. */
const acceptedOf = ({ messages }: JsonObject): { readonly id: string; readonly isHeld: boolean } | undefined => {
  const [message] = Array.isArray(messages) ? messages : []
  if (!isObject(message) || typeof message.id !== 'string' || message.id === '') return undefined
  return { id: message.id, isHeld: message.message_status === 'held_for_quality_assessment' }
}

/** The sender of a number at Meta. */
export const metaTemplateSender = (
  { media, failed }: SenderParts,
  graph: Graph,
  credentials: GraphCredentials,
  number: string,
): TemplateSender => {
  const sourceOf = (file: string) =>
    media.uploaded(number, file, async content => {
      const { headers, body } = cloudUpload(content)
      const answer = await graph.ask(credentials, { method: 'POST', path: `/${number}/media`, bytes: body, headers })
      if (!answer.ok) return answer
      const { id } = answer.value
      return typeof id === 'string' && id !== '' ? accepted(id) : refused('channel.media')
    })
  return {
    provider: 'whatsapp_meta',
    settles: true,
    async send(message, to, key) {
      const ready = await withMedia(message, sourceOf)
      if (!ready.ok) {
        const { code } = ready.refusal
        return code.startsWith('meta.') ? notUploaded(ready.refusal) : unsent('whatsapp_meta', ready.refusal)
      }
      const body = cloudTemplateBody(ready.value, { id: to }, key)
      const answer = await graph
        .ask(credentials, { method: 'POST', path: `/${number}/messages`, body, isOnce: true, isFrequent: true })
        .catch((error: unknown) => {
          failed(error)
          return undefined
        })
      if (answer === undefined) return LOST
      if (!answer.ok) return classifySendError(answer.refusal)
      const message_ = acceptedOf(answer.value)
      return message_ === undefined ? LOST : { kind: 'accepted', ...message_ }
    },
  }
}

/** A refused upload: nothing was sent, so that an unknown outcome may be tried again. */
const notUploaded = (refusal: Refusal): SendOutcome => {
  const outcome = classifySendError(refusal)
  return outcome.kind === 'unknown' ? { kind: 'again', reason: 'network', most: 5, slow: true } : outcome
}
