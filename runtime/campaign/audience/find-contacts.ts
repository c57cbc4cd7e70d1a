import type { PhoneReader } from '#domain/audience/phone.ts'
import { folded } from '#schemas/fold-text.ts'
import type { OpenedMember, StoredAudience } from './open-audience.ts'

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
