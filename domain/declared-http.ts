import { z } from 'zod'
import { parseAta } from './expression/json-ata.ts'

/** JSONata of a declared protocol. */
export const ruleSchema = z.string().trim().min(1).max(10_000)

export const headerNameSchema = z.string().regex(/^[A-Za-z0-9-]{1,60}$/)

/** HMAC of the raw body, keyed with the channel's verify token. */
export const hmacSchema = z.strictObject({
  scheme: z.literal('hmac-sha256'),
  header: headerNameSchema,
  encoding: z.enum(['hex', 'base64']).default('hex'),
  prefix: z.string().max(40).default(''),
})

/** Statuses of requests that were not taken and are sent again. */
export const retrySchema = z.array(z.int().min(400).max(599)).max(20).default([429, 503])

const MAX_CACHED = 500
/** Whether a rule is JSONata: profiles are read for each turn that looks for agents. */
const parsed = new Map<string, boolean>()

const isRule = (source: string): boolean => {
  const known = parsed.get(source)
  if (known !== undefined) return known
  if (parsed.size >= MAX_CACHED) parsed.clear()
  const { ok } = parseAta(source)
  parsed.set(source, ok)
  return ok
}

/** Names of the rules that are not JSONata. */
export const faultyRules = (rules: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(rules).flatMap(([name, source]) => (source === undefined || isRule(source) ? [] : [name]))
