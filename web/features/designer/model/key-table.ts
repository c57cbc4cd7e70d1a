import type { DESIGNER_KEYS } from '#web/help/keys.ts'

type Row = (typeof DESIGNER_KEYS)[number]
type Column = 'plain' | 'held' | 'anywhere' | 'block' | 'alt' | 'travel'
type KeyIn<C extends Column> = Extract<Row, Readonly<Record<C, unknown>>>[C &
  keyof Extract<Row, Readonly<Record<C, unknown>>>] extends infer Keys
  ? Keys extends readonly (infer Key extends string)[]
    ? Key
    : never
  : never

/** Handlers for exactly the keys of a column. */
export type Handlers<C extends Column, Does> = Readonly<Record<KeyIn<C>, Does>>

export const handlerOf = <Does>(handlers: Readonly<Record<string, Does>>, key: string): Does | undefined =>
  Object.hasOwn(handlers, key) ? handlers[key] : undefined

/** Keyboards differ in Shift for `!` and `@`: these keys are named by position. */
const PLACES: Readonly<Record<string, string>> = { Digit1: '!', Digit2: '@' }

/** Name of a pressed key in lower case: its character; Shift with 1 or 2 is always `!` or `@`. */
export const keyOf = ({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string =>
  (shiftKey ? PLACES[code] : undefined) ?? key.toLowerCase()
