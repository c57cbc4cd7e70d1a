import { CONTACT_FIELDS, CONTACT_NAMES, contactText, MAX_CONTACT_TEXT } from '#domain/audience/contact-fields.ts'
import type { PhoneFault, PhoneReader } from '#domain/audience/phone.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { NewContact } from './audience.ts'

type Hint = 'ninthdigit' | 'landline'

interface ReadContact {
  readonly contact: NewContact
  readonly hints: readonly Hint[]
}

const phoneError = (fault: PhoneFault): FieldError => ({
  path: 'phone',
  code: 'format',
  params: { rule: `contactphone${fault}` },
})

/** Validates and normalizes a contact from a form or a file; columns that a contact does not have are ignored. */
export const readContact = (
  given: Readonly<Record<string, unknown>>,
  readPhone: PhoneReader,
  country?: string,
): Result<ReadContact> => {
  const errors: FieldError[] = []
  const texts: Record<string, string> = {}
  for (const name of CONTACT_NAMES) {
    const value = given[name]
    if (value === undefined || value === null) continue
    const { text, fault } = contactText(String(value))
    if (fault === 'control') errors.push({ path: name, code: 'characters' })
    if (fault === 'toolong') errors.push({ path: name, code: 'toolong', params: { max: MAX_CONTACT_TEXT } })
    if (text !== '') texts[name] = text
  }
  const reading = readPhone(String(given.phone ?? ''), country)
  if (!reading.ok) errors.unshift(phoneError(reading.fault))
  if (!reading.ok || errors.length > 0) return refused('validation.failed', { errors })
  const { e164, country: found, aliases, isNinthDigitAdded, isLandline } = reading.phone
  const fields = Object.fromEntries(CONTACT_FIELDS.flatMap(name => (texts[name] ? [[name, texts[name]]] : [])))
  const consent = given.consent as NewContact['consent'] | null
  return accepted({
    contact: {
      ...{ phone: e164, nome: texts.nome ?? '', fields, country: found, aliases },
      ...(consent === undefined || consent === null ? {} : { consent }),
    },
    hints: [...(isNinthDigitAdded ? (['ninthdigit'] as const) : []), ...(isLandline ? (['landline'] as const) : [])],
  })
}
