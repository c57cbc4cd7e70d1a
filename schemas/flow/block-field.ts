import type { Json } from '../event.ts'

/** The inspector tab a field stands on; History and JSON are there for every block. */
export type BlockTab = 'content' | 'answer' | 'rules'

/** Dotted names of other fields, with the values that give this one a place on the form; all must match. */
export type FieldWhen = { readonly [field: string]: readonly (string | boolean)[] }

interface Common {
  readonly tab: BlockTab
  /** Without it a field always has its place. */
  readonly when?: FieldWhen
  /** Bookkeeping of files that no person fills in; the JSON tab shows it. */
  readonly hidden?: boolean
  /** Takes half of the form's width. */
  readonly half?: boolean
}
/** A number as one value; `unit` is shown inside the control (ms, %). */
export interface NumberField extends Common {
  readonly kind: 'number' | 'integer'
  readonly initial: number
  readonly min?: number
  readonly max?: number
  readonly unit?: string
}
export interface SwitchField extends Common {
  readonly kind: 'switch'
  readonly initial: boolean
}
/**
 * One of `values`; `open` fields also read names that files of other makers use. `per`: which of them are offered
 * follows from what another field says.
 */
export interface EnumerationField extends Common {
  readonly kind: 'enumeration'
  readonly values: readonly string[]
  readonly per?: { readonly field: string; readonly values: { readonly [value: string]: readonly string[] } }
  readonly initial: string
  readonly open: boolean
}
/** What a line must look like; its control follows from it. Times are HH:mm, dates YYYY-MM-DD, countries ISO 3166. */
export type LineFormat = 'date' | 'clock' | 'country' | 'state' | 'timezone'

/** One line, replaced whole. */
export interface StringField extends Common {
  readonly kind: 'string'
  readonly format?: LineFormat
  /** Offered while it is typed; any other may be. */
  readonly offered?: readonly string[]
  readonly initial: string
  readonly max: number
  readonly required: boolean
}
/** Short names as one value: tags, intents, parameters; `values` are those to choose among, if not any. */
export interface StringsField extends Common {
  readonly kind: 'strings'
  /** They name variables that the block reads, or something in them: `order.total`. */
  readonly variables?: boolean
  /** Each may hold placeholders between double braces, and is evaluated then. */
  readonly expressions?: boolean
  readonly values?: readonly string[]
  readonly initial: readonly string[]
}
/** A Y.Text that several people type in at once. A json field's file form is the value itself. */
export interface TextField extends Common {
  readonly kind: 'expression' | 'code'
  readonly initial: string
  readonly language?: 'javascript' | 'json' | 'jsonpath' | 'text'
}
export interface JsonField extends Common {
  readonly kind: 'json'
  readonly initial: Json
  /** Nothing is evaluated in it: braces are characters. */
  readonly plain?: true
}
/** A Y.XmlFragment; its plain-string form is in domain/flow/text/rich-text.ts. */
export interface RichField extends Common {
  readonly kind: 'rich'
  readonly initial: string
  readonly required: boolean
}
/** The id of something else, replaced whole; `''` is none. Variables are named, not numbered. */
export interface ReferenceField extends Common {
  readonly kind: 'reference'
  /** A variable that is read, while its neighbours have one of these values; any other is given a value. */
  readonly reads?: FieldWhen
  readonly to: 'dialog' | 'dialogtask' | 'handler' | 'variable' | 'variableschema' | 'bot' | 'block'
  readonly initial: string
  readonly required: boolean
}
/**
 * Items with ids, in a Y.Map of id → Y.Map with `order`. `bare`: an item may also stand in a file as the value of that
 * field alone. `record`: the list may also stand there as an object of name → value.
 */
export interface ListField extends Common {
  readonly kind: 'list'
  readonly item: BlockFields
  readonly bare?: string
  readonly record?: { readonly key: string; readonly value: string }
  readonly max?: number
}
/** An object of fields: a nested Y.Map. */
export interface GroupField extends Common {
  readonly kind: 'group'
  readonly fields: BlockFields
  /** Drawn as one control instead of field by field: `week` has a row for each weekday. */
  readonly widget?: 'week'
}

export type BlockField =
  | NumberField
  | SwitchField
  | EnumerationField
  | StringField
  | StringsField
  | TextField
  | JsonField
  | RichField
  | ReferenceField
  | ListField
  | GroupField

export type BlockFields = { readonly [name: string]: BlockField }

type Options<F extends BlockField> = Partial<Omit<F, 'kind'>>

const number = (initial: number, options: Options<NumberField> = {}): NumberField => ({
  kind: 'number',
  tab: 'content',
  initial,
  ...options,
})
const integer = (initial: number, options: Options<NumberField> = {}): NumberField => ({
  kind: 'integer',
  tab: 'content',
  initial,
  min: 0,
  ...options,
})
const toggle = (initial: boolean, options: Options<SwitchField> = {}): SwitchField => ({
  kind: 'switch',
  tab: 'content',
  initial,
  ...options,
})
const enumeration = (
  values: readonly [string, ...string[]],
  options: Options<EnumerationField> = {},
): EnumerationField => ({ kind: 'enumeration', tab: 'content', values, initial: values[0], open: false, ...options })
const string = (options: Options<StringField> = {}): StringField => ({
  kind: 'string',
  tab: 'content',
  initial: '',
  max: 1000,
  required: false,
  ...options,
})
const strings = (options: Options<StringsField> = {}): StringsField => ({
  kind: 'strings',
  tab: 'content',
  initial: [],
  ...options,
})
const expression = (options: Options<TextField> = {}): TextField => ({
  kind: 'expression',
  tab: 'content',
  initial: '',
  ...options,
})
const code = (options: Options<TextField> = {}): TextField => ({
  kind: 'code',
  tab: 'content',
  initial: '',
  ...options,
})
const json = (initial: Json, options: Options<JsonField> = {}): JsonField => ({
  kind: 'json',
  tab: 'content',
  initial,
  ...options,
})
const rich = (options: Options<RichField> = {}): RichField => ({
  kind: 'rich',
  tab: 'content',
  initial: '',
  required: false,
  ...options,
})
const reference = (to: ReferenceField['to'], options: Options<ReferenceField> = {}): ReferenceField => ({
  kind: 'reference',
  tab: 'content',
  to,
  initial: '',
  required: false,
  ...options,
})
const list = (item: BlockFields, options: Options<ListField> = {}): ListField => ({
  kind: 'list',
  tab: 'content',
  item,
  ...options,
})
const group = (fields: BlockFields, options: Options<GroupField> = {}): GroupField => ({
  kind: 'group',
  tab: 'content',
  fields,
  ...options,
})

/** Makers of the fields of a block, each named after its kind. */
export const blockField = {
  number,
  integer,
  switch: toggle,
  enumeration,
  string,
  strings,
  expression,
  code,
  json,
  rich,
  reference,
  list,
  group,
}
