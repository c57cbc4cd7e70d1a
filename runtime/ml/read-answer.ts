import type { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'

/** Validates an answer; unknown members are dropped. */
export const readAnswer = <T>(schema: z.ZodType<T>, answer: Result<Json>): Result<T> => {
  if (!answer.ok) return answer
  const read = schema.safeParse(answer.value)
  return read.success ? accepted(read.data) : refused('ml.answer')
}

/** Clamped to 0…1, because systems use different scales. */
export const confidenceOf = (value: number | null | undefined): number => Math.min(1, Math.max(0, value ?? 0))

/** A text with its options, one line each. */
export const withOptions = (text: string, options: readonly string[]): string =>
  [text, ...options.map(option => `- ${option}`)].filter(line => line !== '').join('\n')

export const fieldText = (fields: JsonObject, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** A base address from a form, without trailing slashes. */
export const baseOf = (fields: JsonObject): string => fieldText(fields, 'url').replace(/(?<!\/)\/+$/u, '')

/** At most `max` UTF-16 units, without half a surrogate pair at the end. */
export const cutText = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
