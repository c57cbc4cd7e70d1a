import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'

/** Deeper than any flow or form, shallow enough for every recursive reader behind. */
const MAX_DEPTH = 128
const MAX_ERRORS = 20

/** Strict UTF-8 JSON, bounded in depth, without members named `__proto__`. An empty body is undefined. */
export const readJsonBody = (bytes: Uint8Array): Result<Json | undefined> => {
  if (bytes.length === 0) return accepted(undefined)
  let value: Json
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json
  } catch {
    return refused('request.unreadable')
  }
  return inspect(value)
}

interface Place {
  readonly value: Json
  readonly path: string
  readonly depth: number
}

/** Walks with a stack of its own: the input decides how deep it goes. */
function inspect(root: Json): Result<Json> {
  const errors: FieldError[] = []
  const open: Place[] = [{ value: root, path: '', depth: 1 }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, path, depth } = place
    if (value === null || typeof value !== 'object') continue
    if (depth > MAX_DEPTH) return refused('request.unreadable')
    for (const key of Object.keys(value)) {
      const inner = path === '' ? key : `${path}.${key}`
      if (key === '__proto__') {
        if (errors.push({ path: inner, code: 'unknown' }) >= MAX_ERRORS) return refused('validation.failed', { errors })
        continue
      }
      const member = (value as Record<string, Json>)[key]
      if (member !== null && typeof member === 'object') open.push({ value: member, path: inner, depth: depth + 1 })
    }
  }
  return errors.length > 0 ? refused('validation.failed', { errors }) : accepted(root)
}

/** Dotted paths of strings that are not well-formed Unicode, keys included. */
export const illFormed = (root: Json): readonly string[] => {
  const found: string[] = []
  const open: { value: Json; path: string }[] = [{ value: root, path: '' }]
  for (let place = open.pop(); place !== undefined && found.length < MAX_ERRORS; place = open.pop()) {
    const { value, path } = place
    if (typeof value === 'string' && !value.isWellFormed()) found.push(path)
    if (value === null || typeof value !== 'object') continue
    for (const [key, member] of Object.entries(value)) {
      const inner = path === '' ? key : `${path}.${key}`
      if (!key.isWellFormed()) found.push(inner.toWellFormed())
      open.push({ value: member as Json, path: inner })
    }
  }
  return found
}
