import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'

/** Readers of members that outside systems may omit or send in another form: none of them throws. */
export const text = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export const group = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

export const groups = (value: Json | undefined): readonly JsonObject[] => list(value).filter(isObject)

/** Undefined for anything but a finite number or its text. */
export const number = (value: Json | undefined): number | undefined => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

/** Omits empty members. */
export const filled = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined || value === '' || value === null || (Array.isArray(value) && value.length === 0)
        ? []
        : [[name, value]],
    ),
  )

/** ms since 1970 of a time in seconds, in ms, or as text. 0 when there is none. */
export const moment = (value: Json | undefined): number => {
  const count = number(value)
  if (count !== undefined) return Math.round(count < 100_000_000_000 ? count * 1000 : count)
  // Not every Date.parse accepts +0000, which ISO 8601 writes as +00:00.
  const written = Date.parse(text(value).replace(/([+-]\d\d)(\d\d)$/u, '$1:$2'))
  return Number.isFinite(written) ? written : 0
}

/** Latitude and longitude in their valid ranges; undefined for anything else. */
export const coordinates = (latitude: Json | undefined, longitude: Json | undefined) => {
  const [north, east] = [number(latitude), number(longitude)]
  return north === undefined || east === undefined || Math.abs(north) > 90 || Math.abs(east) > 180
    ? undefined
    : { latitude: north, longitude: east }
}

/** A trimmed field of a channel. */
export const field = (fields: JsonObject, name: string): string => text(fields[name]).trim()

/** The base address of a provider's API without trailing slashes: the channel's own if it has one. */
export const baseUrl = (fields: JsonObject, usual: string): string =>
  field(fields, 'url').replace(/(?<!\/)\/+$/u, '') || usual
