import { z } from 'zod'
import type { Json } from './event.ts'
import { isJsonSchema } from './json-schema.ts'

/**
 * What a field holds; its widget, column, table type and OpenAPI follow from it.
 * `string` is one line, `text` several; `reference` holds an id, `references` and `strings` are arrays.
 */
export type FieldKind =
  | 'string'
  | 'text'
  | 'markdown'
  | 'code'
  | 'json'
  | 'email'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'enumeration'
  | 'reference'
  | 'references'
  | 'strings'
  | 'time'
  | 'password'

export interface Field {
  readonly kind: FieldKind
  /** The value where there is one; null stands for "none" unless `required`. */
  readonly schema: z.ZodType<Json>
  /** Must be given, and not null, when the entity is made. */
  readonly required: boolean
  /** What it is when nobody gave it. */
  readonly initial: Json
  /** Encrypted before it becomes an event, never answered: reads say `{set: true}` or null. */
  readonly secret: boolean
  /** Secret only while the boolean field of this name is true (a global variable's value). */
  readonly secretWhen?: string
  /** Encrypted under the user's own key; gone when the user is forgotten. */
  readonly personal: boolean
  /** Set by named commands and the server alone; refused in create and change (`readonly`). */
  readonly readonly: boolean
  /** Given when it is made, never changed afterwards (a dialog's task). */
  readonly fixed: boolean
  /** Bookkeeping of the server alone: kept in events, in no answer, list, history or audit. */
  readonly internal: boolean
  /** Entity name that a reference points to. */
  readonly to?: string
  /** Of a reference: whether it keeps its target from being removed, or is cleared with it as one process. Default: refuse. */
  readonly onTargetRemoved?: 'refuse' | 'clear'
  readonly options?: readonly string[]
  /** Shown inside the control: ms, s, %. */
  readonly unit?: string
  readonly max?: number
}

export interface FieldOptions {
  readonly required?: boolean
  readonly initial?: Json
  readonly secret?: boolean
  readonly secretWhen?: string
  readonly personal?: boolean
  readonly readonly?: boolean
  readonly fixed?: boolean
  readonly internal?: boolean
  readonly unit?: string
  readonly onTargetRemoved?: 'refuse' | 'clear'
}

const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** Lines and tabs are text. */
const CONTROL_IN_TEXT = /(?![\n\r\t])\p{Cc}/u

const wellFormed = (value: string) => value.isWellFormed()
const line = (max: number) =>
  z
    .string()
    .max(max)
    .refine(value => wellFormed(value) && !CONTROL.test(value), { params: { code: 'characters' } })
const lines = (max: number) =>
  z
    .string()
    .max(max)
    .refine(value => wellFormed(value) && !CONTROL_IN_TEXT.test(value), { params: { code: 'characters' } })

const field = (kind: FieldKind, schema: z.ZodType<Json>, options: FieldOptions, more: Partial<Field> = {}): Field => ({
  kind,
  schema,
  required: options.required ?? false,
  initial: options.initial ?? null,
  secret: options.secret ?? false,
  ...(options.secretWhen === undefined ? {} : { secretWhen: options.secretWhen }),
  personal: options.personal ?? false,
  readonly: options.readonly ?? false,
  fixed: options.fixed ?? false,
  internal: options.internal ?? false,
  ...(options.unit === undefined ? {} : { unit: options.unit }),
  ...(options.onTargetRemoved === undefined ? {} : { onTargetRemoved: options.onTargetRemoved }),
  ...more,
})

/** One line. A required one may not be blank. `max` in UTF-16 units, default 200. */
export const string = (options: FieldOptions & { max?: number; pattern?: RegExp } = {}): Field => {
  const max = options.max ?? 200
  const base = options.required
    ? line(max).refine(value => value.trim() !== '', { params: { code: 'required' } })
    : line(max)
  const schema = options.pattern === undefined ? base : base.regex(options.pattern)
  return field('string', schema, options, { max })
}
/** Several lines, default at most 10,000. */
export const text = (options: FieldOptions & { max?: number } = {}): Field =>
  field('text', lines(options.max ?? 10_000), options, { max: options.max ?? 10_000 })
export const markdown = (options: FieldOptions & { max?: number } = {}): Field =>
  field('markdown', lines(options.max ?? 100_000), options, { max: options.max ?? 100_000 })
export const code = (options: FieldOptions & { max?: number } = {}): Field =>
  field('code', lines(options.max ?? 200_000), options, { max: options.max ?? 200_000 })
export const json = (options: FieldOptions = {}): Field => field('json', z.json() as z.ZodType<Json>, options)
/** What describes other values; as a value or as its JSON text. */
export const jsonSchema = (options: FieldOptions = {}): Field => {
  const schema = (z.json() as z.ZodType<Json>).refine(isJsonSchema, { params: { rule: 'jsonschema' } })
  return field('json', schema, options)
}
export const email = (options: FieldOptions = {}): Field =>
  field('email', line(254).pipe(z.email()) as z.ZodType<Json>, options, { max: 254 })
export const integer = (options: FieldOptions & { min?: number; max?: number } = {}): Field =>
  field(
    'integer',
    z
      .int()
      .min(options.min ?? Number.MIN_SAFE_INTEGER)
      .max(options.max ?? Number.MAX_SAFE_INTEGER),
    options,
  )
export const number = (options: FieldOptions & { min?: number; max?: number } = {}): Field =>
  field(
    'number',
    z
      .number()
      .min(options.min ?? -Number.MAX_VALUE)
      .max(options.max ?? Number.MAX_VALUE),
    options,
  )
export const boolean = (options: FieldOptions = {}): Field =>
  field('boolean', z.boolean(), { initial: false, ...options })
export const enumeration = (values: readonly [string, ...string[]], options: FieldOptions = {}): Field =>
  field('enumeration', z.enum(values), options, { options: values })
export const reference = (to: string, options: FieldOptions = {}): Field =>
  field('reference', line(100), options, { to })
export const references = (to: string, options: FieldOptions = {}): Field =>
  field('references', z.array(line(100)).max(1000), { initial: [], ...options }, { to })
export const strings = (options: FieldOptions & { max?: number; maxItems?: number } = {}): Field =>
  field('strings', z.array(line(options.max ?? 200)).max(options.maxItems ?? 1000), { initial: [], ...options })
/** UTC, ISO 8601. */
export const time = (options: FieldOptions = {}): Field => field('time', z.iso.datetime(), options)
/** Never answered and never in an event: a user's password goes through commands of its own. */
export const password = (options: FieldOptions = {}): Field =>
  field('password', z.string().max(1024), { secret: true, ...options })
