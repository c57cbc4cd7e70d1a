import { z } from 'zod'
import type { Json } from '../event.ts'
import { isJsonSchema } from '../json-schema.ts'
import {
  type Bounds,
  boundsOf,
  type ControlName,
  type ExpressionLanguage,
  type FieldWhen,
  givenOf,
  OPTIONAL,
  type OptionsPer,
} from './core.ts'
import { type FileType, IMAGE_TYPES, MAX_FILE_BYTES } from './file-type.ts'
import type {
  BooleanField,
  ColorField,
  CronField,
  DurationField,
  DurationUnit,
  EntityFieldCore,
  EnumerationField,
  ExpressionField,
  FieldKind,
  FileField,
  ImageField,
  ItemFields,
  JsonField,
  LineField,
  LinesField,
  ListField,
  NumberField,
  OfferedFrom,
  PaletteField,
  PasswordField,
  ReferenceField,
  StringsField,
  TimeField,
  UrlField,
} from './kind.ts'
import { cssFault } from './limited-css.ts'
import type { InRow, ItemValue, Typed } from './row-value.ts'
import {
  colorSchema,
  type FileValue,
  fileSchema,
  filledLine,
  itemsSchema,
  line,
  lines,
  originsSchema,
  pathEndsIn,
  phoneSchema,
  shared,
  timeZoneSchema,
  urlSchema,
} from './value-schema.ts'

interface FieldOptions {
  readonly required?: boolean
  readonly initial?: Json
  readonly secret?: boolean
  readonly secretWhen?: string
  readonly personal?: boolean
  readonly readonly?: boolean
  readonly fixed?: boolean
  readonly internal?: boolean
  readonly unversioned?: true
  readonly words?: true
  readonly starred?: true
  readonly fallback?: string
  readonly perEnvironment?: true | { readonly not: string }
  readonly unit?: string
  readonly when?: FieldWhen
  readonly control?: ControlName
  readonly count?: number
  readonly rule?: string
  /** Of a reference. */
  readonly onTargetRemoved?: 'refuse' | 'clear' | 'remove'
}

/** No options. */
type Bare = Readonly<Record<never, never>>

type Core<K extends FieldKind> = Omit<EntityFieldCore, 'kind' | 'unit' | 'options' | 'to' | 'max' | 'per'> & {
  readonly kind: K
}

const core = <K extends FieldKind>(kind: K, schema: z.ZodType<Json>, options: FieldOptions): Core<K> => ({
  kind,
  schema,
  required: options.required ?? false,
  initial: options.initial ?? null,
  secret: options.secret ?? false,
  personal: options.personal ?? false,
  readonly: options.readonly ?? false,
  fixed: options.fixed ?? false,
  internal: options.internal ?? false,
  ...givenOf(options, OPTIONAL),
})

/** A value of another form is refused with the text `field.format.<rule>`, which says the form. */
type Form = { readonly pattern: RegExp; readonly rule: string } | { readonly pattern?: undefined }
type LineOptions = FieldOptions &
  Partial<Pick<LineField, 'max' | 'offered' | 'offeredFrom' | 'addressPath' | 'isUtc'>> &
  Form

/** One line. A required one may not be blank. `max` in UTF-16 units, default 200. */
export const string = <const O extends LineOptions = Bare>(given?: O): Typed<LineField, string, O> => {
  const options: LineOptions = given ?? {}
  const { max = 200, pattern, offered, offeredFrom, addressPath, isUtc } = options
  const base = options.required ? filledLine(max) : line(max)
  const shaped = options.control === 'timezone' ? timeZoneSchema(max) : base
  const schema = pattern === undefined ? shaped : shaped.regex(pattern)
  return {
    ...core('string', schema, options),
    max,
    ...(offered === undefined ? {} : { offered }),
    ...(offeredFrom === undefined ? {} : { offeredFrom }),
    ...(addressPath === undefined ? {} : { addressPath }),
    ...(isUtc === undefined ? {} : { isUtc }),
  }
}

type LinesOptions = FieldOptions & { readonly max?: number }

/** Several lines, default at most 10,000 characters. */
export const text = <const O extends LinesOptions = Bare>(given?: O): Typed<LinesField, string, O> => {
  const options: LinesOptions = given ?? {}
  const { max = 10_000 } = options
  return { ...core('text', lines(max), options), max }
}
export const markdown = <const O extends LinesOptions = Bare>(given?: O): Typed<LinesField, string, O> => {
  const options: LinesOptions = given ?? {}
  const { max = 100_000 } = options
  return { ...core('markdown', lines(max), options), max }
}
export const code = <const O extends LinesOptions = Bare>(given?: O): Typed<LinesField, string, O> => {
  const options: LinesOptions = given ?? {}
  const { max = 200_000 } = options
  return { ...core('code', lines(max), options), max, language: 'javascript' }
}
/** A style sheet of limited CSS: no more than cssFault() allows. */
export const css = <const O extends LinesOptions = Bare>(given?: O): Typed<LinesField, string, O> => {
  const options: LinesOptions = given ?? {}
  const { max = 50_000 } = options
  const schema = lines(max).superRefine((value, context) => {
    const fault = cssFault(value)
    if (fault !== undefined) context.addIssue({ code: 'custom', params: { rule: 'css', ...fault } })
  })
  return { ...core('code', schema as unknown as z.ZodType<Json>, options), max, language: 'css' }
}
const jsonValue = z.json() as z.ZodType<Json>
export const json = <const O extends FieldOptions = Bare>(options?: O): Typed<JsonField, Json, O> =>
  core('json', jsonValue, options ?? {})

/** A schema of other values; as a value or as its JSON text. */
export const jsonSchema = <const O extends FieldOptions = Bare>(options?: O): Typed<JsonField, Json, O> =>
  core('json', jsonValue.refine(isJsonSchema, { params: { rule: 'jsonschema' } }), options ?? {})

const emailAddress = line(254).pipe(z.email()) as z.ZodType<Json>
export const email = <const O extends FieldOptions = Bare>(options?: O): Typed<LineField, string, O> => ({
  ...core('email', emailAddress, options ?? {}),
  max: 254,
})

/** E.164: +, country code and number, 7 to 15 digits. */
export const phone = <const O extends FieldOptions = Bare>(options?: O): Typed<LineField, string, O> => ({
  ...core('phone', phoneSchema(), options ?? {}),
  max: 16,
})

/** Origins of web pages, separated by semicolons; with `per`, one of its words under those values of another field. */
export const origins = <const O extends FieldOptions & { readonly per?: OptionsPer } = Bare>(
  given?: O,
): Typed<LineField, string, O> => {
  const options: FieldOptions & { readonly per?: OptionsPer } = given ?? {}
  const schema = originsSchema(4000, Object.values(options.per?.options ?? {}).flat())
  return { ...core('string', schema, options), max: 4000, ...(options.per === undefined ? {} : { per: options.per }) }
}

type UrlOptions = FieldOptions & {
  readonly max?: number
  readonly protocols?: readonly string[]
  /** Calls to it are signed, which is what the receiver checks. */
  readonly isSigned?: true
  /** Required extension of its path, no dot. */
  readonly extension?: 'mp3'
}

const WEB: readonly string[] = ['https', 'http']
const MAX_URL = 2000

/** `protocols` without the colon, default https and http. */
export const url = <const O extends UrlOptions = Bare>(given?: O): Typed<UrlField, string, O> => {
  const options: UrlOptions = given ?? {}
  const { max = MAX_URL, protocols = WEB, extension, isSigned } = options
  const address = urlSchema(protocols, max, isSigned === true ? 'signedaddress' : 'credentials')
  const schema = extension === undefined ? address : pathEndsIn(address, extension)
  return { ...core('url', schema, options), max, protocols }
}

type ColorOptions = FieldOptions & { readonly alpha?: boolean }

/** #RRGGBB, and #RRGGBBAA unless `alpha` is false. */
export const color = <const O extends ColorOptions = Bare>(given?: O): Typed<ColorField, string, O> => {
  const options: ColorOptions = given ?? {}
  const { alpha = true } = options
  return {
    ...core('color', colorSchema(alpha), options),
    alpha,
  }
}

type PaletteOptions = FieldOptions & { readonly contrast?: PaletteField['contrast'] }

/** Named colours, none of which has to be given. */
export const palette = <const N extends string, const O extends PaletteOptions = Bare>(
  names: readonly [N, ...N[]],
  options?: O,
): Typed<PaletteField, { readonly [Name in N]?: string | null }, O, object> => {
  const contrast = options?.contrast ?? []
  const shape = Object.fromEntries(names.map(name => [name, colorSchema(true).nullable().optional()]))
  const schema = z.strictObject(shape) as unknown as z.ZodType<Json>
  return { ...core('palette', schema, { initial: {}, ...options }), names, contrast }
}

type CronOptions = FieldOptions & { readonly zone?: CronField['zone'] }

/** `zone` (IANA, or the field that holds it) is the clock of the expression, default UTC. */
export const cron = <const O extends CronOptions = Bare>(options?: O): Typed<CronField, string, O> => {
  const zone = options?.zone ?? 'UTC'
  return { ...core('cron', line(500), options ?? {}), max: 500, zone }
}

export const expression = <const O extends LinesOptions = Bare>(
  language: ExpressionLanguage | { readonly field: string },
  options?: O,
): Typed<ExpressionField, string, O> => {
  const max = options?.max ?? 10_000
  return { ...core('expression', lines(max), options ?? {}), language, max }
}

const integerWithin = shared((min: number, max: number) => z.int().min(min).max(max))
const numberWithin = shared((min: number, max: number) => z.number().min(min).max(max))

export const integer = <const O extends FieldOptions & Bounds = Bare>(given?: O): Typed<NumberField, number, O> => {
  const options: FieldOptions & Bounds = given ?? {}
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options
  return { ...core('integer', integerWithin(min, max), options), ...boundsOf(options) }
}
export const number = <const O extends FieldOptions & Bounds = Bare>(given?: O): Typed<NumberField, number, O> => {
  const options: FieldOptions & Bounds = given ?? {}
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = options
  return { ...core('number', numberWithin(min, max), options), ...boundsOf(options) }
}

type DurationOptions = Omit<FieldOptions, 'unit'> & Bounds

/** A whole number of `unit`, from 0 unless `min` says otherwise. */
export const duration = <const O extends DurationOptions = Bare>(
  unit: DurationUnit,
  given?: O,
): Typed<DurationField, number, O> => {
  const options: DurationOptions = given ?? {}
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options
  return { ...core('duration', integerWithin(min, max), options), unit, min, max }
}

const flag = z.boolean()
export const boolean = <const O extends FieldOptions = Bare>(options?: O): Typed<BooleanField, boolean, O, false> =>
  core('boolean', flag, { initial: false, ...options })

type EnumerationOptions = FieldOptions & { readonly per?: OptionsPer; readonly tiles?: true }

export const enumeration = <const V extends string, const O extends EnumerationOptions = Bare>(
  values: readonly [V, ...V[]],
  options?: O,
): Typed<EnumerationField, V, O> => ({
  ...core('enumeration', z.enum(values), options ?? {}),
  options: values,
  ...(options?.per === undefined ? {} : { per: options.per }),
  ...(options?.tiles === undefined ? {} : { tiles: options.tiles }),
})

export const reference = <const O extends FieldOptions = Bare>(
  to: string,
  options?: O,
): Typed<ReferenceField, string, O> => ({ ...core('reference', line(100), options ?? {}), to })
const listOfLines = shared((max: number, maxItems: number) => z.array(line(max)).max(maxItems))
export const references = <const O extends FieldOptions = Bare>(
  to: string,
  options?: O,
): Typed<ReferenceField, readonly string[], O, readonly string[]> => ({
  ...core('references', listOfLines(100, 1000), { initial: [], ...options }),
  to,
})

type StringsOptions = FieldOptions & {
  readonly max?: number
  readonly maxItems?: number
  readonly offeredFrom?: OfferedFrom
  /** The only values that it may hold, each at most once. */
  readonly options?: readonly [string, ...string[]]
}

type StringOf<O> = O extends { readonly options: readonly (infer V extends string)[] } ? V : string

export const strings = <const O extends StringsOptions = Bare>(
  given?: O,
): Typed<StringsField, readonly StringOf<O>[], O, readonly string[]> => {
  const { options: values, ...others }: StringsOptions = given ?? {}
  const { max = 200, maxItems = 1000, offeredFrom } = others
  const schema = values === undefined ? listOfLines(max, maxItems) : z.array(z.enum(values)).max(values.length)
  return {
    ...core('strings', schema, { initial: [], ...others }),
    max,
    maxItems,
    ...(offeredFrom === undefined ? {} : { offeredFrom }),
    ...(values === undefined ? {} : { options: values }),
  }
}

const datetime = z.iso.datetime()
/** UTC, ISO 8601. */
export const time = <const O extends FieldOptions = Bare>(options?: O): Typed<TimeField, string, O> =>
  core('time', datetime, options ?? {})

/** Never answered and never in an event: commands of their own set it. */
export const password = (options: FieldOptions = {}): PasswordField & InRow<never, false> =>
  core('password', z.string().max(1024), { secret: true, ...options })

/** A value with parts is stored in clear as a whole: members of a list can be secret, the list itself can not. */
type OpenOptions = Omit<FieldOptions, 'secret' | 'secretWhen' | 'personal'>
type FileOptions = OpenOptions & { readonly maxBytes?: number }

/** An uploaded file of one of the types in `accept`; default at most 1 MB. */
export const file = <const O extends FileOptions = Bare>(
  accept: readonly [FileType, ...FileType[]],
  options?: O,
): Typed<FileField, FileValue, O> => {
  const maxBytes = options?.maxBytes ?? MAX_FILE_BYTES
  return { ...core('file', fileSchema({ accept, maxBytes }), options ?? {}), accept, maxBytes }
}

type ImageOptions = FileOptions & {
  readonly accept?: readonly [FileType, ...FileType[]]
  readonly protocols?: readonly string[]
}

/** The address of a picture, or an uploaded one. */
export const image = <const O extends ImageOptions = Bare>(given?: O): Typed<ImageField, string | FileValue, O> => {
  const options: ImageOptions = given ?? {}
  const { accept = IMAGE_TYPES, maxBytes = MAX_FILE_BYTES, protocols = WEB } = options
  const schema = z.union([urlSchema(protocols, MAX_URL, 'credentials'), fileSchema({ accept, maxBytes })])
  return { ...core('image', schema, options), accept, maxBytes, protocols }
}

type ListOptions = OpenOptions & {
  /** The field of an item that names it; default the first. */
  readonly itemTitle?: string
  readonly minItems?: number
  readonly maxItems?: number
}

const NOT_IN_ITEMS = ['personal', 'secretWhen', 'readonly', 'fixed', 'internal', 'words'] as const

/**
 * Groups of fields, each with an id; default at most 100.
 * @throws when a field of the item is declared with what only fields of an entity can be
 */
export const list = <const I extends ItemFields, const O extends ListOptions = Bare>(
  item: I,
  given?: O,
): Typed<ListField, readonly ItemValue<I>[], O, readonly []> => {
  const options: ListOptions = given ?? {}
  for (const [name, field] of Object.entries(item))
    for (const property of NOT_IN_ITEMS)
      if (field[property] === true || typeof field[property] === 'string')
        throw new Error(`${name}: a field of an item can not be ${property}`)
  const { itemTitle = Object.keys(item)[0] ?? '', minItems = 0, maxItems = 100 } = options
  const schema = itemsSchema(item, minItems, maxItems)
  return { ...core('list', schema, { initial: [], ...options }), item, itemTitle, minItems, maxItems }
}
