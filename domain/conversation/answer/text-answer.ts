import { type Read, read, UNREAD } from './answer-place.ts'

const MAX_LENGTH = 4000

/** Area codes of Brazil (Anatel, resolution 263). */
const AREA = /^(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])$/u

/** A mobile number as E.164: of Brazil unless it begins with a plus. */
const mobilePhone = (text: string): Read<string> => {
  if (!/^\+?[\d\s().-]{8,30}$/u.test(text)) return UNREAD
  const digits = text.replaceAll(/\D/gu, '')
  if (text.startsWith('+') && !digits.startsWith('55')) {
    return /^[1-9]\d{7,14}$/u.test(digits) ? read(`+${digits}`) : UNREAD
  }
  const national = (digits.length > 11 ? digits.replace(/^55/u, '') : digits).replace(/^0/u, '')
  const isMobile = /^\d{2}9\d{8}$/u.test(national) && AREA.test(national.slice(0, 2))
  return isMobile ? read(`+55${national}`) : UNREAD
}

const email = (text: string): Read<string> => {
  const isAddress = text.length <= 254 && /^[^\s@<>()[\],;:\\"]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(text)
  return isAddress ? read(text) : UNREAD
}

const address = (text: string): Read<string> => {
  const isWeb = /^https?:\/\/\S+$/iu.test(text) && URL.canParse(text)
  return isWeb ? read(text) : UNREAD
}

const VALIDATIONS: Readonly<Record<string, (text: string) => Read<string>>> = {
  Email: email,
  MobilePhone: mobilePhone,
  URL: address,
  Alpha: text => (/^[\p{L}\p{M}\s]+$/u.test(text) ? read(text) : UNREAD),
  AlphaNumeric: text => (/^[\p{L}\p{M}\p{N}\s]+$/u.test(text) ? read(text) : UNREAD),
}

/** Free text, from 1 to 4,000 characters, or what a validation wants (RUNTIME 39). */
export const readText = (said: string, validation: string): Read<string> => {
  const text = said.trim()
  if (text === '' || text.length > MAX_LENGTH) return UNREAD
  const check = Object.hasOwn(VALIDATIONS, validation) ? VALIDATIONS[validation] : undefined
  return check === undefined ? read(text) : check(text)
}
