/** Where `!` and `@` are with Shift on some keyboards alone: there these keys are named by their place. */
const PLACES: Readonly<Record<string, string>> = { Digit1: '!', Digit2: '@' }

/** The name of a pressed key, in small letters: what it writes; Shift with 1 or 2 is `!` or `@` whatever it writes. */
export const keyOf = ({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string =>
  (shiftKey ? PLACES[code] : undefined) ?? key.toLowerCase()
