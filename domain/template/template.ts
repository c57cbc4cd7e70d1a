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
export interface TemplateExample {
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
