import { type AnswerResult, INVALID, lineOf, valid, validUnless } from './answer-result.ts'
import { mobilePhone } from './mobile-phone.ts'

/** Characters, as people count them. */
const MAX_LENGTH = 4000
const MAX_EMAIL_LENGTH = 254

const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]{1,64}$/u
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u
const TOP_LABEL = /^(?:\p{L}[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]|\p{L}\p{M}+)$/u

/** RFC 5321 without quoted names and literal addresses, which mail to people does not have; letters of any script. */
const isEmail = (text: string): boolean => {
  if (text.length > MAX_EMAIL_LENGTH) return false
  const at = text.lastIndexOf('@')
  const [name, labels] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1).split('.')]
  return (
    name.length <= 64 &&
    name.split('.').every(part => LOCAL_PART.test(part)) &&
    labels.length > 1 &&
    labels.every(label => DOMAIN_LABEL.test(label)) &&
    TOP_LABEL.test(labels.at(-1) ?? '')
  )
}

/** An absolute http or https address without a name and a password, which would show another host than it leads to. */
const isWebAddress = (text: string): boolean => {
  if (!/^https?:\/\/[^\s/\\]/iu.test(text) || /[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

const isAlpha = (text: string): boolean => /\p{L}/u.test(text) && !/[^\p{L}\p{M}\p{Zs}\u200c\u200d]/u.test(text)
const isAlphaNumeric = (text: string): boolean =>
  /[\p{L}\p{Nd}]/u.test(text) && !/[^\p{L}\p{M}\p{Nd}\p{Zs}\u200c\u200d]/u.test(text)

/** The text where it passes, in one line. */
const lineThat =
  (passes: (line: string) => boolean, shaped: (text: string) => string = text => text.trim()) =>
  (text: string): AnswerResult<string> => {
    const line = shaped(text)
    return passes(line) ? valid(line) : INVALID
  }

/** Addresses are longer than what other closed kinds take. */
const withoutInvisible = (text: string): string => text.replace(/\p{Cf}/gu, '').trim()

const VALIDATIONS: ReadonlyMap<string, (text: string) => AnswerResult<string>> = new Map([
  ['Email', lineThat(isEmail, withoutInvisible)],
  ['MobilePhone', (text: string) => validUnless(mobilePhone(lineOf(text)))],
  ['URL', lineThat(isWebAddress, withoutInvisible)],
  ['Alpha', lineThat(isAlpha)],
  ['AlphaNumeric', lineThat(isAlphaNumeric)],
])

const isBlank = (text: string): boolean => !/[^\s\p{Cf}\p{Cc}]/u.test(text)

/** Free text of 1 to 4,000 characters, trimmed, or what a validation takes; any other name of one takes free text. */
export const readText = (said: string, validationType: string): AnswerResult<string> => {
  // A character takes two units at most.
  if (said.length > 2 * MAX_LENGTH + 1000) return INVALID
  const text = said.toWellFormed().trim()
  if (isBlank(text) || (text.length > MAX_LENGTH && [...text].length > MAX_LENGTH)) return INVALID
  return VALIDATIONS.get(validationType)?.(text) ?? valid(text)
}
