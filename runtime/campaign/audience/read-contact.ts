import { CONTACT_FIELDS, CONTACT_NAMES, contactText, MAX_CONTACT_TEXT } from '#domain/audience/contact-columns.ts'
import type { PhoneFault, PhoneReader } from '#domain/audience/phone.ts'
import { folded } from '#schemas/fold-text.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { NewContact } from './audience.ts'
import type { OpenedMember, StoredAudience } from './open-audience.ts'

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

/** Rows decrypted per request: about half a second of work. */
const MAX_LOOKED_AT = 10_000
const TOGETHER = 1000

interface FoundContacts {
  readonly members: readonly OpenedMember[]
  /** Position from which the next request continues. */
  readonly next: number | undefined
}

interface ContactSearch {
  readonly campaign: string
  readonly search: string
  readonly after: number
  readonly size: number
}

const isFound = ({ opened }: OpenedMember, words: string, digits: string): boolean => {
  if (opened === undefined) return false
  return folded(opened.nome).includes(words) || (digits.length >= 4 && opened.phone.includes(digits))
}

/** Finds a whole number by its HMAC, and a part of a name or number by decrypting rows in sequence. */
export const findContacts = async (
  audience: StoredAudience,
  readPhone: PhoneReader,
  { campaign, search, after, size }: ContactSearch,
): Promise<FoundContacts> => {
  const reading = readPhone(search)
  const number = reading.ok ? audience.digestsOf({ phone: reading.phone.e164 }) : undefined
  const member = number && audience.index.memberWith(campaign, number)
  if (member !== undefined) return { members: await audience.openMembers(campaign, [member]), next: undefined }
  const words = folded(search.trim())
  const digits = /^[\d\s+().-]+$/.test(search) ? search.replace(/\D/g, '') : ''
  const members: OpenedMember[] = []
  let place = after
  for (let looked = 0; looked < MAX_LOOKED_AT; looked += TOGETHER) {
    const rows = audience.index.page(campaign, place, TOGETHER)
    for (const row of await audience.openMembers(campaign, rows)) {
      place = row.place
      if (isFound(row, words, digits) && members.push(row) === size) return { members, next: place }
    }
    if (rows.length < TOGETHER) return { members, next: undefined }
    // Yields to other requests.
    await new Promise(resolve => setImmediate(resolve))
  }
  return { members, next: place }
}
