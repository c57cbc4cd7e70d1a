import type { PhoneReader } from '#domain/audience/phone.ts'
import { folded } from '#domain/fold-text.ts'
import type { OpenedMember, StoredAudience } from './open-audience.ts'

/** Rows that are opened before the next are looked at in another request: about half a second of them. */
const MAX_LOOKED_AT = 10_000
const TOGETHER = 1000

interface FoundContacts {
  readonly members: readonly OpenedMember[]
  /** Where to go on. */
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

/** A whole number is found by its HMAC, a part of a name or number by opening rows one after the other. */
export const findContacts = async (
  audience: StoredAudience,
  readPhone: PhoneReader,
  { campaign, search, after, size }: ContactSearch,
): Promise<FoundContacts> => {
  const reading = readPhone(search)
  const member = reading.ok ? audience.index.memberWith(campaign, audience.hmac(reading.phone.e164)) : undefined
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
    // Others come to their turn.
    await new Promise(resolve => setImmediate(resolve))
  }
  return { members, next: place }
}
