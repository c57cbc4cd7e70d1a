import { z } from 'zod'

const hash = z.string().regex(/^[\da-f]{64}$/)
const base64url = z.string().regex(/^[\w-]+$/)
const place = { stream: z.string(), revision: z.int().min(1) }

/** End of a stream when it was sealed: its name, revision and the hash of that event. */
const headSchema = z.tuple([z.string(), z.int().min(1), hash])

/**
 * `LogSealed` in `seal`: signs the log's events since the previous seal. Streams that are removed by design are left
 * out (commands/integrity/sealer.ts).
 */
export const logSealedSchema = z.object({
  /** Id of the store that made the first seal; a copy keeps it. */
  log: z.string(),
  /** From 1. */
  number: z.int().min(1),
  time: z.iso.datetime(),
  /** Hash of the event that holds the seal before; empty for the first. */
  previous: z.union([hash, z.literal('')]),
  /** Events sealed by this one, and by all up to it. */
  events: z.int().min(1),
  total: z.int().min(1),
  /** SHA-256 over the hashes of its events in the order of the log. */
  order: hash,
  /** The last event it covers. */
  last: z.object(place),
  /** Heads of the streams that changed, as they were at `last`. */
  heads: z.array(headSchema),
  /** Public key, Ed25519, 32 bytes. */
  key: base64url,
  /** Over all of the above as canonical JSON. */
  signature: base64url,
})

export type LogSealed = z.infer<typeof logSealedSchema>
export type Head = z.infer<typeof headSchema>

export const SEAL_STREAM = 'seal'

/** A fault found by a verification; `revision` is null when no single event is meant. */
export const findingSchema = z.object({
  kind: z.enum(['changed', 'removed', 'inserted', 'reordered', 'truncated', 'seal', 'file']),
  stream: z.string(),
  revision: z.int().nullable(),
  text: z.string(),
})

export type Finding = z.infer<typeof findingSchema>

/** `LogVerified` in `verification`: `actor` had the whole log checked. */
export const logVerifiedSchema = z.object({
  events: z.int(),
  streams: z.int(),
  seals: z.int(),
  /** Number of the newest seal that was checked; null without seals. */
  sealed: z.int().nullable(),
  /** Events after it. */
  unsealed: z.int(),
  /** The first ones; `amiss` counts them all. */
  findings: z.array(findingSchema),
  amiss: z.int(),
  milliseconds: z.int(),
})

export type LogVerified = z.infer<typeof logVerifiedSchema>

export const VERIFICATION_STREAM = 'verification'
