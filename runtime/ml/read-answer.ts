import type { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'

/** An answer in the form that is expected; what else it holds is left out. */
export const readAnswer = <T>(schema: z.ZodType<T>, answer: Result<Json>): Result<T> => {
  if (!answer.ok) return answer
  const read = schema.safeParse(answer.value)
  return read.success ? accepted(read.data) : refused('ml.answer')
}

/** Within 0 and 1, whatever a system counts by. */
export const confidenceOf = (value: number | null | undefined): number => Math.min(1, Math.max(0, value ?? 0))

/** A text with what can be chosen, a line each. */
export const withOptions = (text: string, options: readonly string[]): string =>
  [text, ...options.map(option => `- ${option}`)].filter(line => line !== '').join('\n')

export const fieldText = (fields: JsonObject, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** An address of a form without slashes at its end. */
export const baseOf = (fields: JsonObject): string => fieldText(fields, 'url').replace(/(?<!\/)\/+$/u, '')

/** At most `max` UTF-16 units, without half a character at its end. */
export const cutText = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
