import type { Json } from '../event.ts'

/** Names of other fields, each with the values under which a field is shown; all of them must match. */
export type FieldWhen = { readonly [field: string]: readonly (string | boolean)[] }

/** The options that are offered for each value of another field; all of them for a value that is not listed. */
export interface OptionsPer {
  readonly field: string
  readonly options: { readonly [value: string]: readonly string[] }
}

/**
 * A control that replaces the one of the field's kind. Dates are YYYY-MM-DD, clocks HH:mm, countries ISO 3166; `pictures`
 * are addresses of images, of several lines; `opening` and `members` are lists of periods {day, from, to} and of users
 * {user, priority}; `agentprofile` is the declared protocol of an agent system; `segmentrule`
 * is a rule over contacts; `examples` are {name, example} of the variables in the field `body`, `variables` that text
 * itself, `cards` the cards of a template.
 */
export type ControlName = LineControlName | LargeControlName

/** Controls of one line of text. */
export type LineControlName = 'date' | 'clock' | 'country' | 'state' | 'timezone'

export const LARGE_CONTROLS = [
  ...(['week', 'pictures', 'opening', 'members', 'returntargets'] as const),
  ...(['agentprofile', 'segmentrule', 'examples', 'variables', 'cards'] as const),
] as const

type LargeControlName = (typeof LARGE_CONTROLS)[number]

/** `text` and `json` hold placeholders in double braces, `jsonpath` a path; the others are parsers of a bot by name. */
export type ExpressionLanguage =
  | 'text'
  | 'json'
  | 'jsonpath'
  | 'javascript'
  | 'Jexl'
  | 'ExprEval'
  | 'JsonAta'
  | 'JSONPath'

/** Kinds that fields of entities and of blocks share. */
export type SharedKind =
  | 'string'
  | 'code'
  | 'json'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'enumeration'
  | 'reference'
  | 'strings'
  | 'expression'
  | 'list'

/** Common members of entity fields and block fields. */
export interface FieldCore {
  readonly kind: string
  /** The value that a field has when none is given. */
  readonly initial?: Json
  /** Checked only while the field is shown. */
  readonly required?: boolean
  /** Without it a field is always shown. In an item of a list it names other fields of the item. */
  readonly when?: FieldWhen
  readonly options?: readonly string[]
  readonly per?: OptionsPer
  /** Shown inside the control: ms, %. */
  readonly unit?: string
  readonly control?: ControlName
  /** Characters of a text that are wanted at most, as code points after NFC: the form counts them, a longer value is kept. */
  readonly count?: number
  /** Names its own texts of what is wrong with it: `field.required.<rule>`, `field.format.<rule>`, `field.toolong.<rule>`. */
  readonly rule?: string
}

/** Least and greatest number of a field. */
export type Bounds = { readonly min?: number; readonly max?: number }

export const boundsOf = ({ min, max }: Bounds): Bounds => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
})

/** Options that stay absent where they are not given. */
export const OPTIONAL = [
  'secretWhen',
  'starred',
  'unversioned',
  'words',
  'fallback',
  'perEnvironment',
  'unit',
  'when',
  'control',
  'count',
  'rule',
  'onTargetRemoved',
] as const

/** Those of the properties that are given. */
export const givenOf = <T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.flatMap(name => (from[name] === undefined ? [] : [[name, from[name]]]))) as Pick<T, K>
