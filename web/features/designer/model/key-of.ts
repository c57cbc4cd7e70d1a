/** Keyboards differ in Shift for `!` and `@`: these keys are named by position. */
const PLACES: Readonly<Record<string, string>> = { Digit1: '!', Digit2: '@' }

/** Name of a pressed key in lower case: its character; Shift with 1 or 2 is always `!` or `@`. */
export const keyOf = ({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string =>
  (shiftKey ? PLACES[code] : undefined) ?? key.toLowerCase()
