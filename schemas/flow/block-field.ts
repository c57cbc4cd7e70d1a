import type { Json } from '../event.ts'
import type { ExpressionLanguage, FieldCore, FieldWhen, LineControlName, SharedKind } from '../field/core.ts'

/** The inspector tab a field stands on; History and JSON are there for every block. */
export type BlockTab = 'content' | 'answer' | 'rules'

/** The names in `when` and `per` are dotted, from the block's properties down. */
interface BlockFieldCore extends FieldCore {
  readonly kind: SharedKind | 'rich' | 'group'
  readonly tab: BlockTab
  /** Kept for files, filled in by no person; the JSON tab shows it. */
  readonly hidden?: boolean
  /** Takes half of the form's width. */
  readonly half?: boolean
}
/** A number as one value. */
export interface NumberField extends BlockFieldCore {
  readonly kind: 'number' | 'integer'
  readonly initial: number
  readonly min?: number
  readonly max?: number
}
interface SwitchField extends BlockFieldCore {
  readonly kind: 'boolean'
  readonly initial: boolean
}
/** One of `options`; `open` fields also read names that files of other programs use. */
export interface EnumerationField extends BlockFieldCore {
  readonly kind: 'enumeration'
  readonly options: readonly string[]
  readonly initial: string
  readonly open: boolean
}
/** Files that may be uploaded in place of a typed address. */
export interface FileUpload {
  readonly accept: 'picture' | 'media' | 'file'
  /** The field beside it that takes the media type. */
  readonly type?: string
  /** The field beside it that takes the file's name while it is empty. */
  readonly name?: string
}

/** One line, replaced whole. */
export interface StringField extends BlockFieldCore {
  readonly kind: 'string'
  readonly control?: LineControlName
  readonly upload?: FileUpload
  /** Suggestions; any other text may be typed. */
  readonly offered?: readonly string[]
  readonly initial: string
  readonly max: number
  readonly required: boolean
}
/** Short names as one value: tags, intents, parameters; with `options` only those. */
export interface StringsField extends BlockFieldCore {
  readonly kind: 'strings'
  /** They name variables that the block reads, or something in them: `order.total`. */
  readonly variables?: boolean
  /** Each may hold placeholders between double braces, and is evaluated then. */
  readonly expressions?: boolean
  readonly initial: readonly string[]
}
/** A Y.Text that several people type in at once. A json field's file form is the value itself. */
interface TextField extends BlockFieldCore {
  readonly kind: 'expression' | 'code'
  readonly upload?: FileUpload
  readonly initial: string
  /** `rule`: a path if it begins with `$`, else an expression of the bot's parser. */
  readonly language?: Extract<ExpressionLanguage, 'javascript' | 'json' | 'jsonpath' | 'text'> | 'rule'
}
interface JsonField extends BlockFieldCore {
  readonly kind: 'json'
  readonly initial: Json
  /** Nothing is evaluated in it: braces are characters. */
  readonly plain?: true
}
/** A Y.XmlFragment; its plain-string form is in domain/flow/text/rich-text.ts. */
interface RichField extends BlockFieldCore {
  readonly kind: 'rich'
  readonly initial: string
  readonly required: boolean
}
/**
 * The id of something else, replaced whole; `''` is none. Variables are named, not numbered; an OAuth configuration may be
 * named too, as in files of other programs: the one of that name in the bot.
 */
export interface ReferenceField extends BlockFieldCore {
  readonly kind: 'reference'
  /** A variable that is read, while its neighbours have one of these values; any other is given a value. */
  readonly reads?: FieldWhen
  readonly to:
    | 'dialog'
    | 'dialogtask'
    | 'handler'
    | 'variable'
    | 'variableschema'
    | 'bot'
    | 'oauth'
    | 'template'
    | 'block'
  readonly initial: string
  readonly required: boolean
}
/**
 * Items with ids, in a Y.Map of id → Y.Map with `order`. `bare`: a file may also hold an item as the value of that
 * field alone. `record`: a file may also hold the list as an object of name → value.
 */
export interface ListField extends BlockFieldCore {
  readonly kind: 'list'
  readonly item: BlockFields
  readonly bare?: string
  readonly record?: { readonly key: string; readonly value: string }
  readonly max?: number
}
/** An object of fields: a nested Y.Map. */
interface GroupField extends BlockFieldCore {
  readonly kind: 'group'
  readonly fields: BlockFields
  /** One control instead of field by field: `week` has a row for each weekday. */
  readonly control?: 'week'
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
  kind: 'boolean',
  tab: 'content',
  initial,
  ...options,
})
const enumeration = (
  values: readonly [string, ...string[]],
  options: Options<EnumerationField> = {},
): EnumerationField => ({
  kind: 'enumeration',
  tab: 'content',
  options: values,
  initial: values[0],
  open: false,
  ...options,
})
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

/** Constructors of block fields. */
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
