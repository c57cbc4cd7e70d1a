import type { Json } from '#schemas/event.ts'

/** Content of a message template, for any carrier: rendered as Meta's components and as a provider's record. */
export interface Template {
  readonly name: string
  readonly language: string
  readonly category: TemplateCategory
  /** Variables are `{{1}}`, `{{2}}` … or `{{first_name}}` …; never both. */
  readonly parameterFormat: 'positional' | 'named'
  readonly header: TemplateHeader | null
  readonly body: TemplateText | null
  readonly footer: string | null
  readonly buttons: readonly TemplateButton[]
  readonly cards: readonly TemplateCard[]
  /** Of an authentication template. */
  readonly addSecurityRecommendation: boolean
  /** Minutes, 1 to 90. */
  readonly codeExpirationMinutes: number | null
}

type TemplateCategory = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
export const TEMPLATE_LANGUAGES = ['pt_BR', 'pt_PT', 'en', 'en_US', 'es'] as const

/** A value that Meta's reviewers see for a variable. */
interface TemplateExample {
  /** Name of the variable, or its number. */
  readonly name: string
  readonly value: string
}

/** A text with variables. */
export interface TemplateText {
  readonly text: string
  readonly examples: readonly TemplateExample[]
}

export type MediaFormat = 'IMAGE' | 'VIDEO' | 'DOCUMENT'

/** `handle`: of an upload for the review; null until there is one. */
export type TemplateHeader =
  | ({ readonly format: 'TEXT' } & TemplateText)
  | { readonly format: MediaFormat; readonly handle: string | null }
  | { readonly format: 'LOCATION' }

export type TemplateButton =
  | { readonly type: 'QUICK_REPLY'; readonly text: string }
  | { readonly type: 'URL'; readonly text: string; readonly url: string; readonly example: string | null }
  | { readonly type: 'PHONE_NUMBER'; readonly text: string; readonly phoneNumber: string }
  | { readonly type: 'COPY_CODE'; readonly example: string }
  /** Of an authentication template: its code is copied. */
  | { readonly type: 'OTP'; readonly text: string }

export interface TemplateCard {
  readonly format: 'IMAGE' | 'VIDEO'
  readonly handle: string | null
  readonly body: TemplateText | null
  readonly buttons: readonly TemplateButton[]
}

/** `{{1}}` or `{{first_name}}`. */
const VARIABLE = /\{\{([^{}\s]{1,100})\}\}/gu

/** A variable and its place in its text, in UTF-16 units. */
interface FoundVariable {
  readonly name: string
  readonly at: number
  readonly end: number
}

export const variablesIn = (text: string): readonly FoundVariable[] =>
  [...text.matchAll(VARIABLE)].map(({ 0: whole, 1: name = '', index }) => ({
    name,
    at: index,
    end: index + whole.length,
  }))

/** Names of the variables of a text, each once, in order of first use. */
export const variableNames = (text: string): readonly string[] => [
  ...new Set(variablesIn(text).map(({ name }) => name)),
]

/** Names in the order in which Meta wants their examples: numbers ascending. */
export const exampleOrder = (text: string): readonly string[] => {
  const names = variableNames(text)
  return names.every(name => /^\d+$/u.test(name)) ? names.toSorted((a, b) => Number(a) - Number(b)) : names
}

/** The examples that belong to the variables of a text, in their order; undefined where one is missing. */
export const examplesOf = ({ text, examples }: TemplateText): readonly TemplateExample[] | undefined => {
  const found = exampleOrder(text).map(name => examples.find(each => each.name === name && each.value.trim() !== ''))
  return found.every(example => example !== undefined) ? found : undefined
}

/** A text with values instead of its variables; a variable without one stays as it is. */
const filledText = (text: string, valueFor: (name: string) => string | undefined): string =>
  text.replace(VARIABLE, (whole, name: string) => valueFor(name) ?? whole)

/** A text as its examples show it. */
export const sampleText = ({ text, examples }: TemplateText): string =>
  filledText(text, name => examples.find(each => each.name === name && each.value !== '')?.value)

/** Words of Meta's review under which a template may be changed. */
const EDITABLE: ReadonlySet<string> = new Set(['APPROVED', 'REJECTED', 'PAUSED'])
const REVIEWED: ReadonlySet<string> = new Set(['PENDING', 'IN_APPEAL'])
/** FLAGGED can still be sent, but may be stopped soon. */
const SENDABLE: ReadonlySet<string> = new Set(['APPROVED', 'REINSTATED', 'UNARCHIVED', 'FLAGGED'])
const GONE: ReadonlySet<string> = new Set(['DELETED', 'PENDING_DELETION'])

const among = (words: ReadonlySet<string>, status: Json | undefined): boolean =>
  typeof status === 'string' && words.has(status)

export const editableStatus = (status: Json | undefined): boolean => among(EDITABLE, status)
export const isUnderReview = (status: Json | undefined): boolean => among(REVIEWED, status)
/** Whether messages may be sent from it: a word that nobody knows does not count. */
export const isSendable = (status: Json | undefined): boolean => among(SENDABLE, status)
export const isGone = (status: Json | undefined): boolean => among(GONE, status)
