import { randomInt } from 'node:crypto'
import { appendIfFirst, NO_EVENTS } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { testSendsStream } from '#schemas/events/campaign.ts'
import { exclusiveDrafts } from '../../log/stream-aggregate.ts'
import type { NewContact } from '../audience/audience.ts'
import type { OpenedMember, StoredAudience } from '../audience/open-audience.ts'

/** Messages to test numbers of a campaign in 24 hours, codes included. */
export const MAX_TESTS = 20
const DAY_MS = 86_400_000
const CODE_MS = 10 * 60_000
const MAX_TRIES = 5
const MAX_NUMBERS = 50
/** Fields of a test number with the digest of its code, the expiry and the tries that are left. */
const [CODE, EXPIRES, TRIES] = ['field01', 'field02', 'field03'] as const

/** A telephone that belongs to the people of a level, and gets tests of its campaigns. */
interface TestNumber {
  readonly id: string
  readonly phone: string
  readonly isVerified: boolean
}

/**
 * Test numbers of levels: contacts of an audience of their own, so that they are encrypted and can be forgotten like all
 * contacts. The consent of one is the code that was sent to it.
 */
export class TestNumbers {
  readonly #audience: StoredAudience
  readonly #store: EventStore
  readonly #now: () => number

  constructor(audience: StoredAudience, store: EventStore, now: () => number) {
    this.#audience = audience
    this.#store = store
    this.#now = now
  }

  async list(level: string): Promise<readonly TestNumber[]> {
    const members = await this.#members(level)
    return members.flatMap(({ contact: id, opened }) =>
      opened === undefined ? [] : [{ id, phone: opened.phone, isVerified: opened.consent !== undefined }],
    )
  }

  /** Whether a number is a verified one of a level. */
  async isVerified(level: string, phone: string): Promise<boolean> {
    const member = this.#audience.index.memberWith(audienceOf(level), this.#audience.digestsOf({ phone }))
    return member !== undefined && (await this.#opened(level, member.contact))?.consent !== undefined
  }

  /** A new code for a number that is not verified; undefined for one that is, and when the level has too many. */
  async begin(level: string, contact: NewContact, actor: string | null) {
    const campaign = audienceOf(level)
    if (this.#audience.index.count(campaign) >= MAX_NUMBERS) return undefined
    const { contacts } = await this.#audience.add(campaign, [{ ...contact, nome: '', fields: {} }], actor)
    const id = contacts[0]?.contact ?? ''
    if ((await this.#opened(level, id))?.consent !== undefined) return undefined
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const expires = String(this.#now() + CODE_MS)
    const fields = { [CODE]: this.#digest(id, code), [EXPIRES]: expires, [TRIES]: String(MAX_TRIES) }
    await this.#audience.change(campaign, id, { ...contact, nome: '', fields }, actor)
    return { id, code }
  }

  /** False for a wrong code, one that is too old, and after five tries. */
  async verify(level: string, id: string, code: string, actor: string | null): Promise<boolean> {
    const opened = await this.#opened(level, id)
    const row = this.#audience.index.member(audienceOf(level), id)
    if (opened === undefined || row === undefined || opened.consent !== undefined) return opened?.consent !== undefined
    const tries = Number(opened.fields[TRIES] ?? 0)
    const isRight =
      tries > 0 && Number(opened.fields[EXPIRES]) > this.#now() && opened.fields[CODE] === this.#digest(id, code)
    const same = { phone: opened.phone, nome: '', country: row.country, aliases: [] }
    const next: NewContact = isRight
      ? { ...same, fields: {}, consent: { source: 'code', time: new Date(this.#now()).toISOString() } }
      : { ...same, fields: { ...opened.fields, [TRIES]: String(Math.max(0, tries - 1)) } }
    await this.#audience.change(audienceOf(level), id, next, actor)
    return isRight
  }

  /** Returns false when the level has no such number. */
  async remove(level: string, id: string, actor: string | null): Promise<boolean> {
    if (this.#audience.index.member(audienceOf(level), id) === undefined) return false
    await this.#audience.remove(audienceOf(level), [id], actor)
    return true
  }

  /** Counts messages before they are sent; false when a campaign had its share of 24 hours. */
  async admit(campaign: string, count: number): Promise<boolean> {
    const stream = testSendsStream(campaign)
    for (;;) {
      const now = this.#now()
      let [end, used] = [NO_EVENTS, 0]
      for await (const event of this.#store.read(stream, { direction: 'backwards', limit: MAX_TESTS })) {
        if (end === NO_EVENTS) end = event
        if (Number(event.data.at) > now - DAY_MS) used += Number(event.data.count)
      }
      if (used + count > MAX_TESTS) return false
      const drafts = exclusiveDrafts(stream, [{ type: 'TestsSent', data: { count, at: now } }])
      const written = await appendIfFirst(this.#store, stream, end, drafts)
      if (written?.revision === 1) await this.#store.setMetadata(stream, { maxCount: MAX_TESTS })
      if (written !== undefined) return true
    }
  }

  #digest(id: string, code: string): string {
    return this.#audience.digest(`testcode ${id} ${code}`)
  }

  async #members(level: string): Promise<readonly OpenedMember[]> {
    const campaign = audienceOf(level)
    return this.#audience.openMembers(campaign, this.#audience.index.page(campaign, 0, MAX_NUMBERS))
  }

  async #opened(level: string, id: string) {
    return (await this.#audience.open(audienceOf(level), [id])).get(id)
  }
}

const audienceOf = (level: string): string => `testnumbers-${level}`
