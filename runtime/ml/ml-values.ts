import { answerReader } from '../outbound/system-wire.ts'

export const readAnswer = answerReader('ml.answer')

/** Clamped to 0…1, because systems use different scales. */
export const confidenceOf = (value: number | null | undefined): number => Math.min(1, Math.max(0, value ?? 0))

/** A text with its options, one line each. */
export const withOptions = (text: string, options: readonly string[]): string =>
  [text, ...options.map(option => `- ${option}`)].filter(line => line !== '').join('\n')

/** At most `max` UTF-16 units, without half a surrogate pair at the end. */
export const cutText = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
