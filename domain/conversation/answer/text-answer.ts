import { type AnswerResult, INVALID, lineOf, valid, validUnless } from './answer-result.ts'

/** Area codes of Brazil (Anatel, resolution 749/2022). */
const AREA = /^(?:[14689][1-9]|2[12478]|3[1-578]|5[13-5]|7[134579])/u
const NATIONAL_MOBILE = /^\d{2}9\d{8}$/u
/**
 * A mobile number as it was before the ninth digit (2012 to 2016). Landlines begin with 2 to 5; eight figures that begin
 * with 9 are more often a number of nine of which one is missing.
 */
const OLD_NATIONAL_MOBILE = /^\d{2}[6-8]\d{7}$/u

/** Country codes in use (ITU-T E.164, annex of 2016 and later). */
const COUNTRY_CODE =
  /^(?:[17]|2(?:0|7|1[12368]|[2346]\d|5[0-8]|9[01789])|3(?:[0-4]|6|9|5\d|7[0-9]|8[0-35-79])|4(?:[013-9]|2[013])|5(?:[1-8]|0\d|9\d)|6(?:[0-6]|7[02-9]|8[0-35-9]|9[0-2])|8(?:[1246]|0[08]|5[02356]|7[08]|8[0-368])|9(?:[0-58]|6[0-8]|7[0-79]|9[2-68]))/u
const NORTH_AMERICAN = /^1[2-9]\d{2}[2-9]\d{6}$/u

/** Removes domestic dialing digits that E.164 omits. */
const withoutTrunk = (digits: string): string => {
  // Mexico: a 1 before mobile numbers until 2019.
  if (/^521\d{10}$/u.test(digits)) return `52${digits.slice(3)}`
  // Argentina: 15 after the area code becomes a 9 before it.
  const [, area, subscriber] = /^54(11|[23]\d{2}|[23]\d{3})15(\d{6,8})$/u.exec(digits) ?? []
  return area !== undefined && subscriber !== undefined && area.length + subscriber.length === 10
    ? `549${area}${subscriber}`
    : digits
}

const foreignPhone = (digits: string): string | undefined => {
  const number = withoutTrunk(digits)
  if (!/^[1-9]\d{6,14}$/u.test(number) || !COUNTRY_CODE.test(number)) return undefined
  return number.startsWith('1') && !NORTH_AMERICAN.test(number) ? undefined : `+${number}`
}

/** Area code and number, without the country, the trunk zero and the carrier's two digits. */
const nationalDigits = (digits: string, hasCountry: boolean): string => {
  const national = hasCountry || (digits.startsWith('55') && digits.length >= 12) ? digits.slice(2) : digits
  if (!/^0[1-9]/u.test(national)) return national
  return national.length >= 13 ? national.slice(3) : national.slice(1)
}

const brazilianMobile = (digits: string, hasCountry: boolean): string | undefined => {
  const national = nationalDigits(digits, hasCountry)
  if (!AREA.test(national)) return undefined
  if (NATIONAL_MOBILE.test(national)) return `+55${national}`
  return OLD_NATIONAL_MOBILE.test(national) ? `+55${national.slice(0, 2)}9${national.slice(2)}` : undefined
}

/**
 * A mobile number as E.164; undefined for none. It is of Brazil unless it begins with a plus; elsewhere the country code
 * and the length are checked alone, as most numbering plans do not tell mobile numbers apart.
 */
const mobilePhone = (text: string): string | undefined => {
  if (!/^\+?[\d\s().\-\u2010-\u2015/]+$/u.test(text)) return undefined
  const digits = text.replace(/\D/gu, '')
  const hasCountry = text.startsWith('+')
  return hasCountry && !digits.startsWith('55') ? foreignPhone(digits) : brazilianMobile(digits, hasCountry)
}

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
