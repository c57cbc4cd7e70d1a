/** Area code, and eight digits that begin with 6 to 9: mobile numbers have a 9 between them since 2016. */
const BRAZIL = /^55([1-9]\d)9?([6-9]\d{7})$/
/** A 1 was part of mobile numbers until 2019. */
const MEXICO = /^521?([2-9]\d{9})$/
/** The 9 marks a mobile number in calls from abroad; ids of WhatsApp may lack it. */
const ARGENTINA = /^549?([1-8]\d{9})$/

/** Digits of all forms under which one number is written, the present form first. `number` has its country code. */
export const phoneVariants = (number: string): readonly [string, ...string[]] => {
  const digits = number.replace(/\D/gu, '')
  const [, area, rest] = BRAZIL.exec(digits) ?? []
  if (area !== undefined) return [`55${area}9${rest}`, `55${area}${rest}`]
  const [, mexican] = MEXICO.exec(digits) ?? []
  if (mexican !== undefined) return [`52${mexican}`, `521${mexican}`]
  const [, argentine] = ARGENTINA.exec(digits) ?? []
  if (argentine !== undefined) return [`549${argentine}`, `54${argentine}`]
  return [digits]
}

/** Reason to reject a number. `rounded`: a spreadsheet destroyed digits. `kind`: this kind cannot have WhatsApp. */
export type PhoneFault = 'format' | 'invalid' | 'kind' | 'rounded'

interface Phone {
  /** With +. */
  readonly e164: string
  /** ISO 3166. */
  readonly country: string
  /** `MOBILE`, `FIXED_LINE` … */
  readonly kind: string
  /** Digits of other spellings under which the same person writes. */
  readonly aliases: readonly string[]
  /** A Brazilian mobile number was given without the digit that all have now. */
  readonly isNinthDigitAdded: boolean
  /** WhatsApp Business may live there, a person seldom. */
  readonly isLandline: boolean
}

type PhoneReading = { readonly ok: true; readonly phone: Phone } | { readonly ok: false; readonly fault: PhoneFault }

/** Reads a number as people and spreadsheets write it; `country` is that of numbers without a country code. */
export type PhoneReader = (text: string, country?: string) => PhoneReading

const DEFAULT_COUNTRY = 'BR'
const MAX_LENGTH = 64

/** A long number as spreadsheets write it: `5,51E+12`. */
const ROUNDED = /^[+-]?\d{1,20}(?:[.,]\d{1,20})?[eE][+-]?\d{1,3}$/
/** Digits with what stands between them, hyphens and spaces of any kind. */
const WRITTEN = /^\+?[\d\s().\p{Pd}\p{Zs}/]+$/u
/** Spreadsheet prefix that marks a cell as text. */
const CELL_MARK = /^(?:=|')/

/** A Brazilian mobile number whose area code is missing, which would be read as one of another kind. */
const WITHOUT_AREA = /^9\d{8}$/
const NOT_CALLED = new Set(['TOLL_FREE', 'PREMIUM_RATE', 'SHARED_COST', 'UAN', 'VOICEMAIL', 'PAGER', 'PERSONAL_NUMBER'])

/** A mobile number without its ninth digit: area code, then 6 to 9 and seven digits. */
const OLD_BRAZILIAN = /^([1-9]\d)([6-9]\d{7})$/
/** The 1 that stood before mobile numbers until 2019. */
const OLD_MEXICAN = /^\+521(\d{10})$/

const aliasesOf = (digits: string): readonly string[] => phoneVariants(digits).filter(spelling => spelling !== digits)

const fault = (code: PhoneFault): PhoneReading => ({ ok: false, fault: code })

type Library = typeof import('libphonenumber-js/max')

/** Numbers that were valid once are brought to what they are now. */
const modern = ({ parsePhoneNumberFromString: parse }: Library, text: string, country: string) => {
  const parsed = parse(text, country)
  if (parsed === undefined || parsed.isValid()) return { parsed, isNinthDigitAdded: false }
  const brazilian = parsed.country === 'BR' ? OLD_BRAZILIAN.exec(parsed.nationalNumber) : null
  if (brazilian !== null) return { parsed: parse(`+55${brazilian[1]}9${brazilian[2]}`), isNinthDigitAdded: true }
  const mexican = OLD_MEXICAN.exec(parsed.number)
  return { parsed: mexican === null ? parsed : parse(`+52${mexican[1]}`), isNinthDigitAdded: false }
}

const read = (library: Library, given: string, country: string): PhoneReading => {
  const text = given.trim().replace(CELL_MARK, '').trim()
  if (text.length > MAX_LENGTH) return fault('format')
  if (ROUNDED.test(text)) return fault('rounded')
  if (!WRITTEN.test(text) || !/\d/.test(text)) return fault('format')
  if (country === 'BR' && !text.startsWith('+') && WITHOUT_AREA.test(text.replace(/\D/g, ''))) return fault('invalid')
  const { parsed, isNinthDigitAdded } = modern(library, text, country)
  if (parsed === undefined || !parsed.isValid() || parsed.ext !== undefined) return fault('invalid')
  const kind = parsed.getType() ?? 'UNKNOWN'
  if (NOT_CALLED.has(kind)) return fault('kind')
  const { number: e164, country: found = '' } = parsed
  const aliases = aliasesOf(e164.slice(1))
  return {
    ok: true,
    phone: { e164, country: found, kind, aliases, isNinthDigitAdded, isLandline: kind === 'FIXED_LINE' },
  }
}

/** The metadata of all countries is fetched when it is needed first. */
export const openPhones = async (): Promise<PhoneReader> => {
  const library = await import('libphonenumber-js/max')
  return (text, country = DEFAULT_COUNTRY) => read(library, text, country)
}
