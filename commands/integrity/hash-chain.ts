import { hash } from 'node:crypto'
import type { Json, NewEvent, StoredEvent } from '#schemas/event.ts'

/** JSON with members in code-unit order and no white space: the same text for the same value, for hashing. */
export const canonical = (value: Json): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.keys(value)
    .sort()
    .map(name => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`)
  return `{${members.join(',')}}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** An event before its stream gives it a place and a hash. */
export type Draft = Omit<NewEvent, 'hash'>

/** End of a stream: revision 0 with an empty hash is a stream that does not exist yet. */
export interface Tail {
  readonly revision: number
  readonly hash: string
}

export const NO_STREAM: Tail = { revision: 0, hash: '' }

/** SHA-256 over the hash before it in the stream and the event as stored, its position excluded. */
export const hashOf = (previous: string, stream: string, revision: number, event: Draft): string => {
  const { id, type, version, data, time, actor, correlation, causation, level } = event
  const stored = { id, type, version, stream, revision, data, time, actor, correlation, causation, level }
  return hash('sha256', previous + canonical(stored))
}

/** Chains drafts onto the end of a stream. */
export const seal = (stream: string, tail: Tail, drafts: readonly Draft[]): NewEvent[] => {
  let last = tail
  return drafts.map(draft => {
    const revision = last.revision + 1
    last = { revision, hash: hashOf(last.hash, stream, revision, draft) }
    return { ...draft, hash: last.hash }
  })
}

/** Whether a stored event is what was written after `previous` (the hash before it in its stream). */
export const isIntact = (previous: string, event: StoredEvent): boolean =>
  hashOf(previous, event.stream, event.revision, event) === event.hash
