import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, textAt } from '#schemas/json.ts'
import { SYSTEM_SCHEMAS } from '#schemas/system-schema.ts'
import { type AnswerPlace, type AnswerResult, INVALID, valid } from './answer-result.ts'
import { type AnswerOption, pressedOption, readChoice } from './choice-answer.ts'
import { readConfirm } from './confirm-answer.ts'
import { readNumber } from './number-answer.ts'
import { readText } from './text-answer.ts'
import { readTime } from './time-answer.ts'

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

/** Answer to a question. The names are those of a prompt's `data`. */
export type AnswerSpec =
  | { readonly kind: 'text'; readonly validationType: string }
  | { readonly kind: 'number'; readonly validationType: string; readonly unit: string }
  | { readonly kind: 'time'; readonly dateExtractType: string }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'choice'; readonly options: readonly AnswerOption[]; readonly fuzzy: boolean }
  | { readonly kind: 'location' }
  | ({ readonly kind: 'attachment' } & Partial<AttachmentLimits>)

/** Data from the flow and the channel. */
interface AnswerContext extends Partial<AttachmentLimits> {
  /** Options of a choice, their placeholders filled in. */
  readonly options: readonly AnswerOption[]
  readonly fuzzy: boolean
}

const NONE = 'none'

/** Answer to a prompt, from its properties in file form; odd ones make it a free text. */
export const wantedOf = (
  properties: JsonObject,
  { options, fuzzy, denied = [], maxBytes }: AnswerContext,
): AnswerSpec => {
  const held = own(properties, 'data')
  const data = isObject(held) ? held : {}
  const validationType = textAt(data, 'validationType') || NONE
  switch (textAt(data, 'type')) {
    case 'number':
      return { kind: 'number', validationType, unit: textAt(data, 'unit') }
    case 'time':
      return { kind: 'time', dateExtractType: textAt(data, 'dateExtractType') || 'date' }
    case 'confirm':
      return { kind: 'confirm' }
    case 'choice':
      return { kind: 'choice', options, fuzzy }
    case 'location':
      return { kind: 'location' }
    case 'attachment':
      return { kind: 'attachment', denied, ...(maxBytes === undefined ? {} : { maxBytes }) }
    default:
      return { kind: 'text', validationType }
  }
}

const MAX_LENGTH = 4000

type Members = { [name: string]: Json }

const numeric = (value: Json | undefined): number | undefined => {
  const written = typeof value === 'string' && /^[+-]?\d{1,12}(?:[.,]\d{1,20})?$/u.test(value.trim())
  const number = typeof value === 'string' ? (written ? Number(value.replace(',', '.')) : Number.NaN) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const texts = (from: JsonObject, names: readonly string[]): Members => {
  const kept: Members = {}
  for (const name of names) {
    const value = own(from, name)
    const text = typeof value === 'string' ? value.trim() : ''
    if (text !== '' && text.length <= MAX_LENGTH) kept[name] = text
  }
  return kept
}

const PLACE = SYSTEM_SCHEMAS['system-location'].properties
const namesOf = (properties: JsonObject): readonly string[] =>
  Object.keys(properties).filter(name => isObject(properties[name]) && properties[name].type === 'string')

/** Coordinates on the earth; undefined if none are given, false if invalid. */
const coordinates = (from: JsonObject): Members | false | undefined => {
  const [latitude, longitude] = [numeric(own(from, 'latitude')), numeric(own(from, 'longitude'))]
  const isGiven = ['latitude', 'longitude'].some(name => ![undefined, null, ''].includes(own(from, name) as null))
  if (latitude === undefined || longitude === undefined) return isGiven ? false : undefined
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return false
  const elevation = numeric(own(from, 'elevation'))
  const more = elevation === undefined ? {} : { elevation }
  return { latitude: latitude + 0, longitude: longitude + 0, ...more, ...texts(from, namesOf(PLACE.geo.properties)) }
}

/**
 * A place that a channel sent, as a system-location: its coordinates in `geo` or beside its name, numbers as numbers;
 * other members are left out. A place has coordinates on the earth or an address or a name.
 */
export const readPlace = (said: JsonObject): AnswerResult<JsonObject> => {
  const place = texts(said, namesOf(PLACE))
  const nested = own(said, 'geo')
  const held = coordinates(isObject(nested) ? nested : said)
  if (held === false) return INVALID
  // Beside the coordinates, type and name are those of the place.
  const { type: _type, name: _name, ...flat } = held ?? {}
  const geo = held === undefined ? {} : { geo: isObject(nested) ? held : flat }
  const isPlace = held !== undefined || place.address !== undefined || place.name !== undefined
  return isPlace ? valid({ ...place, ...geo }) : INVALID
}

/** A place in words. */
export const readAddress = (said: string): AnswerResult<JsonObject> => {
  const address = said.length > 2 * MAX_LENGTH ? '' : said.toWellFormed().trim()
  return /[\p{L}\p{N}]/u.test(address) && address.length <= MAX_LENGTH ? valid({ address }) : INVALID
}

export interface AnswerInput {
  readonly text?: string
  /** Of a pressed option. */
  readonly value?: Json
  readonly location?: JsonObject
  readonly attachments?: readonly JsonObject[]
}

type Reader = (said: string | number | boolean) => AnswerResult

/** Reads the value of the pressed option, else the words. */
const readSaid = ({ value, text }: AnswerInput, reader: Reader): AnswerResult => {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  const pressed = isPlain ? reader(value) : INVALID
  return pressed.ok || text === undefined ? pressed : reader(text)
}

const readLocation = (said: AnswerInput): AnswerResult => {
  if (said.location !== undefined) return readPlace(said.location)
  if (isObject(said.value)) return readPlace(said.value)
  return readSaid(said, words => readAddress(`${words}`))
}

/**
 * Reads a person's answer to a question. Pure: the same input at the same moment gives the same value; never throws.
 * Numbers and dates follow the locale, the value of a pressed option is unchanged.
 */
export const readAnswer = (said: AnswerInput, wanted: AnswerSpec, place: AnswerPlace): AnswerResult => {
  switch (wanted.kind) {
    case 'text':
      return readSaid(said, words => readText(`${words}`, wanted.validationType))
    case 'number':
      return readSaid(said, words =>
        typeof words === 'boolean' ? INVALID : readNumber(words, wanted.validationType, wanted.unit, place.locale),
      )
    case 'time':
      return readSaid(said, words => readTime(`${words}`, wanted.dateExtractType, place))
    case 'confirm':
      return readSaid(said, words => readConfirm(typeof words === 'number' ? `${words}` : words))
    case 'choice': {
      const pressed = said.value === undefined ? INVALID : pressedOption(said.value, wanted.options)
      return pressed.ok ? pressed : readSaid(said, words => readChoice(`${words}`, wanted.options, wanted.fuzzy))
    }
    case 'location':
      return readLocation(said)
    case 'attachment':
      return readAttachments(said.attachments ?? [], { denied: [], ...wanted })
    default:
      return wanted satisfies never
  }
}
