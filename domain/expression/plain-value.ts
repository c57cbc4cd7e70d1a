import { EXPRESSION_LIMITS, FaultError, fault, type Outcome, type Place } from './engine.ts'

type Copy = (value: unknown, depth: number) => unknown

/** Copies what is JSON, undefined or any number; of an object only its own enumerable members. */
const copier = (make: () => Record<string, unknown>): Copy => {
  let size = 0
  const copy: Copy = (value, depth) => {
    size += typeof value === 'string' ? value.length + 1 : 1
    if (depth > EXPRESSION_LIMITS.depth || size > EXPRESSION_LIMITS.size) throw new FaultError('limit', 'value')
    if (Array.isArray(value)) return Array.from(value, item => copy(item, depth + 1))
    if (typeof value === 'object' && value !== null) {
      const made = make()
      for (const [name, member] of Object.entries(value)) {
        Object.defineProperty(made, name, {
          value: copy(member, depth + 1),
          enumerable: true,
          writable: true,
          configurable: true,
        })
      }
      return made
    }
    if (typeof value === 'function' || typeof value === 'symbol') throw new FaultError('value', 'function')
    return typeof value === 'bigint' ? Number(value) : value
  }
  return copy
}

/** A context to evaluate over: objects without a prototype, that share nothing with what was given. */
export const sealedContext = (context: object): Record<string, unknown> =>
  copier(() => Object.create(null) as Record<string, unknown>)(context, 0) as Record<string, unknown>

/** A result as plain data; a function is none, and a result has its bounds. */
export const plainValue = (value: unknown): unknown => copier(() => ({}))(value, 0)

/** Own member of a value by name or index: members of objects and arrays, characters and length of texts. */
export const ownMember = (value: unknown, name: unknown): unknown => {
  if (typeof name !== 'string' && typeof name !== 'number') return undefined
  if (typeof value === 'string' || Array.isArray(value))
    return Object.getOwnPropertyDescriptor(Object(value), name)?.value
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

/** Converts a thrown error to a fault; if only the values caused it, its place is the whole expression. */
export const faultOf = (error: unknown, whole: Place) => {
  if (error instanceof FaultError) return fault(error.code, error.at ?? whole, error.message)
  if (error instanceof RangeError) return fault('limit', whole)
  return fault('value', whole)
}

/** Evaluates; the result is plain data within its bounds, and nothing is thrown. */
export const evaluateSafely = (whole: Place, evaluate: () => unknown): Outcome<unknown> => {
  try {
    return { ok: true, value: plainValue(evaluate()) }
  } catch (error) {
    return faultOf(error, whole)
  }
}

/** Whether two texts are the same letters: composed and decomposed forms are equal. */
export const sameText = (one: string, other: string): boolean => one.normalize('NFC') === other.normalize('NFC')
