/** A fault of a template, and its place: a dotted path into the fields of `template`. */
export interface TemplateFault {
  readonly path: string
  readonly rule: TemplateRule
  readonly max?: number
  /** `warning`: Meta takes it, and people should know. */
  readonly level?: 'warning'
}

/** Texts: `field.template.<rule>`. */
type TemplateRule =
  | 'name'
  | 'length'
  | 'language'
  | 'bodyrequired'
  | 'multiple'
  | 'examples'
  | 'sequence'
  | 'edge'
  | 'adjacent'
  | 'mixed'
  | 'braces'
  | 'density'
  | 'oneheadervariable'
  | 'headermarkdown'
  | 'footervariables'
  | 'maxbuttons'
  | 'buttontext'
  | 'buttonlength'
  | 'grouping'
  | 'maxurl'
  | 'maxphone'
  | 'maxcode'
  | 'codemarketing'
  | 'codelength'
  | 'directlink'
  | 'uri'
  | 'uriend'
  | 'uriexample'
  | 'phone'
  | 'handle'
  | 'maxcards'
  | 'mincards'
  | 'samecards'
  | 'cardbuttons'
  | 'cardmarketing'
  | 'cardalone'
  | 'locationauth'
  | 'otp'
  | 'otponly'
  | 'expiration'
  | 'optout'
  | 'seeall'

/** Characters as people count them: code points after NFC. */
export const countCharacters = (text: string): number => [...text.normalize('NFC')].length

export const fault = (
  path: string,
  rule: TemplateRule,
  more: Pick<TemplateFault, 'max' | 'level'> = {},
): TemplateFault => ({
  path,
  rule,
  ...more,
})

export const tooLong = (path: string, text: string, max: number): readonly TemplateFault[] =>
  countCharacters(text) > max ? [fault(path, 'length', { max })] : []
