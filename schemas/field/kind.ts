import type { z } from 'zod'
import type { Json } from '../event.ts'
import type { ExpressionLanguage, FieldCore, SharedKind } from './core.ts'
import type { FileType } from './file-type.ts'

/** Common members of all entity fields. */
export interface EntityFieldCore extends FieldCore {
  readonly kind: FieldKind
  /** Schema of a value that is not null; null means "none" unless `required`. */
  readonly schema: z.ZodType<Json>
  /** Must be given, and not null, on create; with `when` only while the field is shown. */
  readonly required: boolean
  readonly initial: Json
  /** Encrypted before it becomes an event; reads answer `{set: true}` or null. */
  readonly secret: boolean
  /** Secret only while the boolean field of this name is true. */
  readonly secretWhen?: string
  /** Encrypted under the user's own key; unreadable once the user is forgotten. */
  readonly personal: boolean
  /** Set by named commands and the server alone; refused in create and change (`readonly`). */
  readonly readonly: boolean
  /** Given on create, never changed afterwards. */
  readonly fixed: boolean
  /** Bookkeeping of the server: kept in events, in no answer, list, history or audit. */
  readonly internal: boolean
  /** Changes without an event of the thing: no revision, no history, and answers with it are never "not modified". */
  readonly unversioned?: true
  /** Words of people: history and audit say that it changed, without a value. */
  readonly words?: true
  /** Lists show, filter and sort an empty value as that of this field, and an export writes that. */
  readonly fallback?: string
  /** Shown as required in forms: a rule of the entity requires it together with others. */
  readonly starred?: true
  /**
   * `true`: the value belongs to the environment, so a version of another bot does not change it. `not`: the reason why a
   * version carries a field that looks as if it did.
   */
  readonly perEnvironment?: true | { readonly not: string }
  /** Entity that a reference points to. */
  readonly to?: string
  /**
   * Of a reference: it keeps its target from being removed, which is the default, is cleared with it as one process, or its
   * holder is removed with it. A field with `remove` has the name of the entity that it points to.
   */
  readonly onTargetRemoved?: 'refuse' | 'clear' | 'remove'
  /** Characters of a text, or the largest number. */
  readonly max?: number
}

/**
 * Suggestions that are read: `through` are reference fields to follow, the first of the thing itself; of what they lead to
 * the titles of all `things` in it, or the ids in its JSON field `list`.
 */
export interface OfferedFrom {
  readonly through: readonly [string, ...string[]]
  readonly things?: string
  readonly list?: string
}

/** One line; `offered` are suggestions, any other text may be typed. `phone` is E.164: + and 7 to 15 digits. */
export interface LineField extends EntityFieldCore {
  readonly kind: 'string' | 'email' | 'phone'
  readonly max: number
  readonly offered?: readonly string[]
  readonly offeredFrom?: OfferedFrom
  /** Path on the console's origin (empty: the value is one on the bot router): with the value an address to be copied. */
  readonly addressPath?: string
  /** A time in UTC without its zone (year-month-dayThour:minute:second): shown as other times are. */
  readonly isUtc?: boolean
}

export interface LinesField extends EntityFieldCore {
  readonly kind: 'text' | 'markdown' | 'code'
  readonly max: number
  /** Of `code`: the language of its colours. */
  readonly language?: CodeLanguage
}

export type CodeLanguage = 'javascript' | 'json' | 'css'

export interface JsonField extends EntityFieldCore {
  readonly kind: 'json'
}

export interface NumberField extends EntityFieldCore {
  readonly kind: 'integer' | 'number'
  readonly min?: number
  readonly max?: number
}

/** A whole number of `unit`. */
export interface DurationField extends EntityFieldCore {
  readonly kind: 'duration'
  readonly unit: DurationUnit
  readonly min: number
  readonly max: number
}
export type DurationUnit = 'ms' | 's' | 'min'

export interface BooleanField extends EntityFieldCore {
  readonly kind: 'boolean'
}

export interface EnumerationField extends EntityFieldCore {
  readonly kind: 'enumeration'
  readonly options: readonly string[]
  /** A new entity shows all options at once, because its other fields follow from the chosen one. */
  readonly tiles?: true
}

/** The id of another thing, or several. */
export interface ReferenceField extends EntityFieldCore {
  readonly kind: 'reference' | 'references'
  readonly to: string
}

export interface StringsField extends EntityFieldCore {
  readonly kind: 'strings'
  readonly max: number
  readonly maxItems: number
  readonly offeredFrom?: OfferedFrom
}

/** UTC, ISO 8601. */
export interface TimeField extends EntityFieldCore {
  readonly kind: 'time'
}

/** Never answered and never in an event: commands of their own set it. */
export interface PasswordField extends EntityFieldCore {
  readonly kind: 'password'
}

/** An absolute address with one of `protocols` (`https`, without the colon). */
export interface UrlField extends EntityFieldCore {
  readonly kind: 'url'
  readonly max: number
  readonly protocols: readonly string[]
}

/** #RRGGBB, and #RRGGBBAA where `alpha`. */
export interface ColorField extends EntityFieldCore {
  readonly kind: 'color'
  readonly alpha: boolean
}

/** Named colours: {name: #RRGGBB or #RRGGBBAA}, each of which may be missing. */
export interface PaletteField extends EntityFieldCore {
  readonly kind: 'palette'
  readonly names: readonly string[]
  /** Pairs of names, text before ground, with a contrast check. */
  readonly contrast: readonly (readonly [text: string, ground: string])[]
}

/** A cron expression as domain/cron reads it, on a clock in `zone` (IANA, or the name of the field that holds it). */
export interface CronField extends EntityFieldCore {
  readonly kind: 'cron'
  readonly max: number
  readonly zone: string | { readonly field: string }
}

/** `language` is declared, or the value of the field that it names. */
export interface ExpressionField extends EntityFieldCore {
  readonly kind: 'expression'
  readonly max: number
  readonly language: ExpressionLanguage | { readonly field: string }
}

/** An uploaded file: {id, name, type, size} as POST /file answers it. */
export interface FileField extends EntityFieldCore {
  readonly kind: 'file'
  readonly accept: readonly FileType[]
  readonly maxBytes: number
}

/** The address of a picture, or an uploaded one as in a file field. */
export interface ImageField extends EntityFieldCore {
  readonly kind: 'image'
  readonly accept: readonly FileType[]
  readonly maxBytes: number
  readonly protocols: readonly string[]
}

/**
 * Groups of fields with ids: [{id, …fields}]. The server gives an id to an item that comes without one, and matches
 * items by it on change: a secret that comes as {set: true}, or is left out, stays as it was.
 */
export interface ListField extends EntityFieldCore {
  readonly kind: 'list'
  readonly item: ItemFields
  /** The field of an item that names it. */
  readonly itemTitle: string
  readonly minItems: number
  readonly maxItems: number
}

/** Fields of an item. References, passwords and lists have no place in one. */
export type ItemField =
  | LineField
  | LinesField
  | JsonField
  | NumberField
  | DurationField
  | BooleanField
  | EnumerationField
  | StringsField
  | TimeField
  | UrlField
  | ColorField
  | CronField
  | ExpressionField
  | FileField
  | ImageField

export type ItemFields = Readonly<Record<string, ItemField>>

/** A field of an entity; its control, column, table type and OpenAPI follow from its kind. */
export type Field = ItemField | ReferenceField | PasswordField | ListField | PaletteField

export type FieldKind =
  | SharedKind
  | 'text'
  | 'markdown'
  | 'email'
  | 'references'
  | 'time'
  | 'password'
  | 'file'
  | 'image'
  | 'url'
  | 'color'
  | 'palette'
  | 'cron'
  | 'duration'
  | 'phone'
