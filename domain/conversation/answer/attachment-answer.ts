import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, textAt } from '#schemas/json.ts'
import { SYSTEM_SCHEMAS } from '#schemas/system-schema.ts'
import { type AnswerResult, INVALID, valid } from './answer-result.ts'

export interface AttachmentLimits {
  /** Media types that are refused: `image/png`, `image/*`, `image`. */
  readonly denied: readonly string[]
  /** Bytes of each; undefined for no limit. */
  readonly maxBytes?: number
}

const MEDIA_TYPE = /^[a-z\d][a-z\d!#$&^_.+-]{0,126}\/[a-z\d*][a-z\d!#$&^_.+-]{0,126}$/u

/** Without parameters: `audio/ogg; codecs=opus` is audio/ogg. */
const mediaType = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase()

const isDenied = (type: string, denied: readonly string[]): boolean =>
  denied
    .map(mediaType)
    .some(each => each !== '' && (each === type || `${each.replace(/\/\*$/u, '')}/` === `${type.split('/')[0]}/`))

/** Bytes of base64 without reading it. */
const decodedSize = (base64: string): number =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)

/** As the channel tells it, else of what came inline; 0 where it lies elsewhere. */
const sizeOf = (attachment: JsonObject): number => {
  const told = own(attachment, 'size')
  if (typeof told === 'number' && told >= 0) return told
  const inline = /^data:[^,]{0,200};base64,/u.exec(textAt(attachment, 'contentUrl'))?.[0]
  if (inline !== undefined) return decodedSize(textAt(attachment, 'contentUrl').slice(inline.length))
  return decodedSize(textAt(attachment, 'content'))
}

const NAMES = Object.keys(SYSTEM_SCHEMAS['system-attachment'].properties)

/** A system-attachment with the members that it has; undefined where the channel does not take it. */
const readOne = (attachment: Json, { denied, maxBytes }: AttachmentLimits): JsonObject | undefined => {
  if (!isObject(attachment)) return undefined
  const type = mediaType(textAt(attachment, 'contentType'))
  const hasContent = textAt(attachment, 'contentUrl') !== '' || textAt(attachment, 'content') !== ''
  const isTaken = MEDIA_TYPE.test(type) && hasContent && !isDenied(type, denied)
  if (!isTaken || (maxBytes !== undefined && sizeOf(attachment) > maxBytes)) return undefined
  const members = NAMES.map(name => [name, textAt(attachment, name)] as const).filter(([, text]) => text !== '')
  return { ...Object.fromEntries(members), contentType: type }
}

/** One attachment, or several as an array; if one of them is not taken, none is. */
export const readAttachments = (
  said: readonly Json[],
  limits: AttachmentLimits,
): AnswerResult<JsonObject | readonly JsonObject[]> => {
  const read = said.map(attachment => readOne(attachment, limits))
  const taken = read.filter(attachment => attachment !== undefined)
  const [first] = taken
  if (first === undefined || taken.length < read.length) return INVALID
  return valid(taken.length === 1 ? first : taken)
}
