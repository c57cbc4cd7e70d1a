import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own } from '#schemas/json.ts'
import { SYSTEM_SCHEMAS } from '#schemas/system-schema.ts'
import { type AnswerResult, INVALID, valid } from './answer-result.ts'

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
