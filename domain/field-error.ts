import type { z } from 'zod'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type FieldError, type FieldErrorCode, type Result, refused } from '#schemas/refusal.ts'

type Issue = z.core.$ZodIssue

/**
 * Converts zod issues to the lines of `errors[]`. `closed` names members that exist but may not be given here: they are
 * `readonly`, every other surplus one is `unknown`.
 */
export const fieldErrors = (error: z.ZodError, input: unknown, closed: ReadonlySet<string> = new Set()): FieldError[] =>
  error.issues.flatMap(issue => linesOf(issue, input, closed))

const linesOf = (issue: Issue, input: unknown, closed: ReadonlySet<string>): FieldError[] => {
  const meant = issue.code === 'invalid_union' ? meantBranch(issue) : undefined
  if (meant !== undefined)
    return meant.flatMap(inner => linesOf({ ...inner, path: [...issue.path, ...inner.path] }, input, closed))
  if (issue.code !== 'unrecognized_keys') return [{ path: dotted(issue.path), ...reasonOf(issue, input) }]
  return issue.keys.map(key => ({
    path: dotted([...issue.path, key]),
    code: issue.path.length === 0 && closed.has(key) ? 'readonly' : 'unknown',
  }))
}

/** The one alternative of a union with the value's type: its errors are reported instead of the type. */
const meantBranch = ({ errors }: z.core.$ZodIssueInvalidUnion): Issue[] | undefined => {
  const branches = errors.filter(
    branch => !branch.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  )
  return branches.length === 1 ? branches[0] : undefined
}

const reasonOf = (issue: Issue, input: unknown): Pick<FieldError, 'code' | 'params'> => {
  switch (issue.code) {
    case 'invalid_type':
      return { code: isAbsent(valueAt(input, issue.path)) ? 'required' : 'type' }
    case 'too_big':
      return { code: isMeasured(issue.origin) ? 'toolong' : 'toolarge', params: { max: Number(issue.maximum) } }
    case 'too_small':
      return { code: 'toosmall', params: { min: Number(issue.minimum) } }
    case 'invalid_value':
      return isAbsent(valueAt(input, issue.path))
        ? { code: 'required' }
        : { code: 'option', params: { options: issue.values.map(String) } }
    case 'custom':
      return { code: customCode(issue.params?.code), ...ruleOf(issue.params) }
    case 'invalid_union':
      return { code: isAbsent(valueAt(input, issue.path)) ? 'required' : 'type' }
    default:
      return { code: 'format' }
  }
}

/** Codes that the field constructors put into their own checks. */
const customCode = (code: unknown): FieldErrorCode =>
  code === 'characters' || code === 'required' || code === 'duplicate' ? code : 'format'

/** Which rule it breaks, where its text says more than the code, and what that text fills in. */
const ruleOf = (params: { readonly [name: string]: unknown } = {}) => {
  if (typeof params.rule !== 'string') return {}
  const words = Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { params: Object.fromEntries(words) }
}

const isMeasured = (origin: string) => origin === 'string' || origin === 'array'
const isAbsent = (value: unknown) => value === undefined || value === null
const dotted = (path: readonly PropertyKey[]) => path.map(String).join('.')

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  )

const NOTHING: ReadonlySet<string> = new Set()

/** Reads `input` by a schema, or says in `errors` what is wrong with it. */
export const parseInput = (
  schema: z.ZodType,
  input: JsonObject,
  closed: ReadonlySet<string> = NOTHING,
): Result<JsonObject> => {
  const surplus = Object.hasOwn(input, '__proto__')
  const parsed = schema.safeParse(input)
  if (parsed.success && !surplus) return accepted(parsed.data as JsonObject)
  const errors = parsed.success ? [] : fieldErrors(parsed.error, input, closed)
  return refused('validation.failed', {
    errors: surplus ? [...errors, { path: '__proto__', code: 'unknown' as const }] : errors,
  })
}
