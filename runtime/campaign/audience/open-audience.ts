import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { decrypt, encrypt, type NodeKeys } from '#commands/keys/secret.ts'
import { appendAtEnd, appendIfFirst, NO_STREAM } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { TimeSlicer } from '#commands/time-slicer.ts'
import { phoneVariants } from '#domain/audience/phone.ts'
import type { JsonObject } from '#schemas/event.ts'
import {
  AUDIENCE_PREFIXES,
  audienceHolder,
  audienceStream,
  CONTACT_KEYS_PREFIX,
  type SealedContact,
} from '#schemas/events/campaign.ts'
import { exclusiveDrafts } from '../../log/stream-aggregate.ts'
import {
  type AddedContacts,
  type Audience,
  type AudienceRow,
  chunksOf,
  EVERY_CATEGORY,
  EVERYWHERE,
  holderOf,
  type MemberRow,
  type NewContact,
  type OpenedContact,
  openRow,
  type PersonDigests,
  type PersonIdentifiers,
  personDigests,
  plannedAudience,
  rowKey,
  type SuppressionScope,
  sealRow,
  shortDigest,
  storedDigests,
} from './audience.ts'
import { AudienceIndex } from './audience-index.ts'
import { ContactKeys } from './audience-queries.ts'
import { SuppressionLog } from './suppression-log.ts'

interface AudienceOptions {
  readonly store: EventStore
  readonly keys: Pick<NodeKeys, 'secret' | 'personal' | 'index'>
  /** File of the index, which can be rebuilt. */
  readonly file: string
  readonly failed: (error: unknown) => void
}

/** Contacts that are looked up together. */
const RECOGNIZED_TOGETHER = 256

/** HMACs of the spellings of a number. */
interface SpelledNumber {
  readonly phone: string
  /** Of all other spellings. */
  readonly aliases: readonly string[]
  /** The same for all spellings of the number. */
  readonly key: string
}

/** A row of a campaign with its content; undefined when it cannot be decrypted. */
export interface OpenedMember extends MemberRow {
  readonly opened: OpenedContact | undefined
}

/** Audiences stored in their log. */
export class StoredAudience extends SuppressionLog implements Audience {
  readonly #options: AudienceOptions
  readonly #keys: ContactKeys
  readonly #campaignKeys = new Map<string, Buffer>()

  constructor(options: AudienceOptions) {
    super(options.store, new AudienceIndex(options.file))
    this.#options = options
    this.#keys = new ContactKeys(options.store, options.keys)
  }

  /** Reads the log, and forgets again all forgotten contacts that a restored store brought back. */
  async begin(): Promise<void> {
    const { store, failed } = this.#options
    await this.index.follow(store, {
      name: 'audiences',
      prefixes: AUDIENCE_PREFIXES,
      heard: ({ stream }) => {
        if (stream.startsWith(CONTACT_KEYS_PREFIX)) this.#keys.lose(stream.slice(CONTACT_KEYS_PREFIX.length))
      },
      failed,
    })
    for (const contact of await this.#keys.forgotten())
      if (!this.index.isForgotten(contact)) await this.#keys.forget(contact)
  }

  async close(): Promise<void> {
    await this.index.close()
    this.#keys.close()
    for (const key of this.#campaignKeys.values()) key.fill(0)
  }

  /** HMAC by which rows name a number in E.164. Only `digestsOf` finds all spellings of it. */
  hmac(phone: string): string {
    return this.#short(`phone ${phone.replace(/^\+/, '')}`)
  }

  /** HMAC of a value that is compared but never read. */
  digest(text: string): string {
    return this.#options.keys.index.hmac(text)
  }

  /** Encrypts bytes with the key of their campaign. */
  async sealBytes(campaign: string, context: string, bytes: Buffer): Promise<Buffer> {
    return Buffer.from(encrypt(await this.#beginCampaign(campaign), bytes, `bytes ${campaign} ${context}`))
  }

  /** Returns undefined when the campaign's key was destroyed. */
  async openBytes(campaign: string, context: string, sealed: Buffer): Promise<Buffer | undefined> {
    const key = await this.#campaignKey(campaign)
    return key && decrypt(key, sealed.toString(), `bytes ${campaign} ${context}`)
  }

  async page(campaign: string, after: number, limit: number): ReturnType<Audience['page']> {
    const found = this.index.page(campaign, after, limit)
    const rows = found.map(
      ({ contact, phone, country, upload, line }): AudienceRow => ({
        ...{ contact, phone, country },
        ...(upload === null || line === null ? {} : { upload, line }),
      }),
    )
    return { rows, next: found.length < limit ? undefined : found.at(-1)?.place }
  }

  async count(campaign: string): Promise<number> {
    return this.index.count(campaign)
  }

  async open(campaign: string, contacts: readonly string[]): Promise<ReadonlyMap<string, OpenedContact>> {
    const found = new Map<string, OpenedContact>()
    // Own contacts win over those that a run was planned with.
    for (const audience of [campaign, plannedAudience(campaign)]) {
      const missing = contacts.filter(contact => !found.has(contact))
      const members = missing.length === 0 ? [] : this.index.members(audience, missing)
      if (members.length === 0) continue
      for (const { contact, opened } of await this.openMembers(audience, members))
        if (opened !== undefined) found.set(contact, opened)
    }
    return found
  }

  /** Decrypts rows of a campaign. */
  async openMembers(campaign: string, members: readonly MemberRow[]): Promise<readonly OpenedMember[]> {
    const campaignKey = await this.#campaignKey(campaign)
    const keys = await this.#keys.find(members.map(({ contact }) => contact))
    const slices = new TimeSlicer()
    const found: OpenedMember[] = []
    for (const member of members) {
      const { contact, sealed } = member
      const contactKey = keys.get(contact)
      const isReadable = contactKey !== undefined && campaignKey !== undefined
      const opened = isReadable ? openRow({ campaign, contact, contactKey, campaignKey }, sealed) : undefined
      found.push({ ...member, opened })
      if (slices.isOver) await slices.next()
    }
    return found
  }

  async suppressed(
    scope: SuppressionScope,
    rows: readonly Pick<AudienceRow, 'contact' | 'phone'>[],
  ): Promise<ReadonlySet<string>> {
    const places = this.index.suppressions.suppressedAmong(scope, this.index.digestsOfRows(rows))
    return new Set(rows.flatMap(({ phone }, place) => (places.has(place) ? [phone] : [])))
  }

  isSuppressed(scope: SuppressionScope, person: PersonDigests): boolean {
    return this.index.suppressions.isSuppressed(scope, person)
  }

  suppressedAmong(scope: SuppressionScope, people: readonly PersonDigests[]): ReadonlySet<number> {
    return this.index.suppressions.suppressedAmong(scope, people)
  }

  digestsOf(person: PersonIdentifiers): PersonDigests {
    return personDigests(text => this.#short(text), person)
  }

  digestsOfRow(row: Pick<AudienceRow, 'contact' | 'phone'>): PersonDigests {
    return this.index.digestsOfRow(row)
  }

  /** Adds people to a campaign, in chunks; of equal numbers the first wins. */
  async add(campaign: string, contacts: readonly NewContact[], actor: string | null): Promise<AddedContacts> {
    const { rows, outcome } = await this.seal(campaign, contacts)
    const stream = audienceStream(campaign)
    let position: string | undefined
    for (const chunk of chunksOf(rows))
      position = await this.append(stream, { type: 'ContactsAdded', data: { rows: jsonOf(chunk) } }, actor)
    if (position !== undefined) await this.reached(position)
    return outcome
  }

  /** Sealed rows to write, without numbers that the campaign or an earlier row already has. */
  async seal(
    campaign: string,
    contacts: readonly NewContact[],
  ): Promise<{ readonly rows: readonly SealedContact[]; readonly outcome: AddedContacts }> {
    const campaignKey = await this.#beginCampaign(campaign)
    const slices = new TimeSlicer()
    const given: (SpelledNumber & { readonly contact: NewContact; readonly known: string | undefined })[] = []
    const seen = new Map<string, string>()
    const isFirst: boolean[] = []
    for (let from = 0; from < contacts.length; from += RECOGNIZED_TOGETHER) {
      const some = contacts.slice(from, from + RECOGNIZED_TOGETHER)
      const numbers = some.map(({ phone, aliases }) => this.#spelled(phone, aliases))
      const people = numbers.map(({ phone, aliases }) => storedDigests([phone, ...aliases]))
      const [present, elsewhere] = [this.index.contactsIn(campaign, people), this.index.knownContacts(people)]
      for (const [place, contact] of some.entries()) {
        const [number, known] = [numbers[place] as SpelledNumber, present.get(place)]
        given.push({ ...number, contact, known })
        isFirst.push(known === undefined && !seen.has(number.key))
        if (isFirst.at(-1) === true) seen.set(number.key, elsewhere.get(place) ?? '')
      }
      if (slices.isOver) await slices.next()
    }
    const fresh = await this.#keys.make([...seen.values()].filter(contact => contact === '').length)
    const made = new Map(fresh.map(({ contact, key }) => [contact, key]))
    let next = 0
    for (const [key, contact] of seen) if (contact === '') seen.set(key, fresh[next++]?.contact ?? '')
    const old = await this.#keys.find([...seen.values()].filter(contact => !made.has(contact)))
    const rows: SealedContact[] = []
    for (const [place, { contact: clear, phone, aliases, key }] of given.entries()) {
      const contact = seen.get(key) ?? ''
      const contactKey = made.get(contact) ?? old.get(contact)
      if (isFirst[place] !== true || contactKey === undefined) continue
      const { country, aliases: _spellings, line, ...opened } = clear
      const sealed = sealRow({ campaign, contact, contactKey, campaignKey }, opened)
      rows.push({ contact, phone, aliases, country, sealed, ...(line === undefined ? {} : { line }) })
      if (slices.isOver) await slices.next()
    }
    const answers = given.map(({ key, known }, place) => ({
      contact: known ?? seen.get(key) ?? '',
      isDuplicate: isFirst[place] !== true,
    }))
    return { rows, outcome: { contacts: answers } }
  }

  /** Adds contacts to a campaign, and updates texts and consent of contacts that it has. */
  async merge(
    campaign: string,
    contacts: readonly NewContact[],
    actor: string | null,
    mayChange: boolean,
  ): Promise<{ readonly added: number; readonly changed: number; readonly duplicates: number }> {
    const { contacts: answers } = await this.add(campaign, contacts, actor)
    const seen = new Set(answers.flatMap(({ contact, isDuplicate }) => (isDuplicate ? [] : [contact])))
    const added = seen.size
    const known = new Map<string, NewContact>()
    for (const [place, given] of contacts.entries()) {
      const { contact = '', isDuplicate = false } = answers[place] ?? {}
      if (isDuplicate && !seen.has(contact)) known.set(contact, given)
      seen.add(contact)
    }
    const changed = mayChange ? await this.#mergeKnown(campaign, known, actor) : 0
    return { added, changed, duplicates: contacts.length - added - changed }
  }

  /** Returns the number of contacts that are not as before. */
  async #mergeKnown(campaign: string, known: ReadonlyMap<string, NewContact>, actor: string | null): Promise<number> {
    const contacts = [...known.keys()]
    const [campaignKey, present] = [await this.#campaignKey(campaign), await this.open(campaign, contacts)]
    const keys = await this.#keys.find(contacts)
    const slices = new TimeSlicer()
    const rows: SealedContact[] = []
    for (const [contact, given] of known) {
      await slices.pause()
      const [before, contactKey] = [present.get(contact), keys.get(contact)]
      if (before === undefined || contactKey === undefined || campaignKey === undefined) continue
      const { country, aliases, phone, ...texts } = given
      const opened: OpenedContact = {
        ...{ ...before, ...(texts.consent === undefined ? {} : { consent: texts.consent }) },
        nome: texts.nome === '' ? before.nome : texts.nome,
        fields: { ...before.fields, ...texts.fields },
      }
      if (isDeepStrictEqual(opened, before)) continue
      const sealed = sealRow({ campaign, contact, contactKey, campaignKey }, opened)
      const spelled = this.#spelled(before.phone, [...aliases, phone])
      rows.push({ contact, phone: spelled.phone, aliases: spelled.aliases, country, sealed })
    }
    const stream = audienceStream(campaign)
    let position: string | undefined
    for (const chunk of chunksOf(rows)) {
      const facts = jsonOf(chunk).map(data => ({ type: 'ContactChanged', data }))
      position = (await appendAtEnd(this.#options.store, stream, exclusiveDrafts(stream, facts, actor))).position
    }
    if (position !== undefined) await this.reached(position)
    return rows.length
  }

  /** Returns false when a key is missing. The index ignores the change if another contact has the number. */
  async change(campaign: string, contact: string, clear: NewContact, actor: string | null): Promise<boolean> {
    const campaignKey = await this.#campaignKey(campaign)
    const contactKey = (await this.#keys.find([contact])).get(contact)
    if (campaignKey === undefined || contactKey === undefined) return false
    const { country, aliases: given, ...opened } = clear
    const { phone, aliases } = this.#spelled(clear.phone, given)
    const sealed = sealRow({ campaign, contact, contactKey, campaignKey }, opened)
    const data: SealedContact = { contact, phone, aliases, country, sealed }
    const fact = { type: 'ContactChanged', data: data as unknown as JsonObject }
    await this.reached(await this.append(audienceStream(campaign), fact, actor))
    return true
  }

  /**
   * Copies contacts into the audience that a campaign was planned with, as they are now. Returns the contact under which
   * each is there, in order; undefined for those that cannot be read. A copy that has not changed is neither read nor
   * written.
   */
  async plan(campaign: string, from: string, members: readonly MemberRow[]): Promise<readonly (string | undefined)[]> {
    const audience = plannedAudience(campaign)
    const planned = members.map(member => {
      const holder = this.index.memberWith(audience, this.index.digestsOfRow(member))
      const of = this.#short(`${from} ${member.sealed}`)
      const isSame = holder !== undefined && this.index.copiedFrom(audience, holder.contact) === of
      return { member, of, contact: holder?.contact, isSame }
    })
    const fresh = planned.filter(({ isSame }) => !isSame)
    if (fresh.length > 0) await this.#copy(audience, from, fresh)
    return planned.map(({ member, contact }) => {
      const found = contact ?? member.contact
      return this.index.member(audience, found) === undefined ? undefined : found
    })
  }

  /** Copies contacts of other audiences to a list, with the names of their columns. Returns how many were new. */
  async copy(list: string, from: string, members: readonly MemberRow[], actor: string | null): Promise<number> {
    const fresh = members.filter(member => this.index.memberWith(list, this.index.digestsOfRow(member)) === undefined)
    if (fresh.length === 0) return 0
    const before = this.index.count(list)
    await this.#copy(
      list,
      from,
      fresh.map(member => ({ member, of: undefined, contact: undefined })),
      actor,
    )
    const names = this.index.fieldNames(holderOf(from))
    const known = this.index.fieldNames(list)
    if (Object.keys(names).some(field => known[field] === undefined))
      await this.reached(await this.append(audienceStream(list), { type: 'FieldsNamed', data: { names } }, actor))
    return this.index.count(list) - before
  }

  async #copy(
    audience: string,
    from: string,
    given: readonly {
      readonly member: MemberRow
      readonly of: string | undefined
      readonly contact: string | undefined
    }[],
    actor: string | null = null,
  ): Promise<void> {
    const campaignKey = await this.#beginCampaign(audience)
    const opened = await this.openMembers(
      from,
      given.map(({ member }) => member),
    )
    const keys = await this.#keys.find(given.map(({ member, contact }) => contact ?? member.contact))
    const slices = new TimeSlicer()
    const added: SealedContact[] = []
    const changed: SealedContact[] = []
    for (const [place, { member, of, contact: known }] of given.entries()) {
      await slices.pause()
      const contact = known ?? member.contact
      const [clear, contactKey] = [opened[place]?.opened, keys.get(contact)]
      if (clear === undefined || contactKey === undefined) continue
      const sealed = sealRow({ campaign: audience, contact, contactKey, campaignKey }, clear)
      const { aliases } = this.#spelled(clear.phone, [])
      const row = { contact, phone: member.phone, aliases, country: member.country }
      const rows = known === undefined ? added : changed
      rows.push({ ...row, sealed, ...(of === undefined ? {} : { of }) })
    }
    const stream = audienceStream(audience)
    let position: string | undefined
    for (const chunk of chunksOf(added))
      position = await this.append(stream, { type: 'ContactsAdded', data: { rows: jsonOf(chunk) } }, actor)
    for (const chunk of chunksOf(changed)) {
      const facts = jsonOf(chunk).map(data => ({ type: 'ContactChanged', data }))
      position = (await appendAtEnd(this.#options.store, stream, exclusiveDrafts(stream, facts, actor))).position
    }
    if (position !== undefined) await this.reached(position)
  }

  /** Keys of rows of an audience, each for its row alone; undefined for those that cannot be read. */
  async rowKeys(audience: string, contacts: readonly string[]): Promise<readonly (Buffer | undefined)[]> {
    const campaignKey = await this.#campaignKey(audience)
    const keys = await this.#keys.find(contacts)
    return contacts.map(contact => {
      const contactKey = keys.get(contact)
      return campaignKey === undefined || contactKey === undefined ? undefined : rowKey(contactKey, campaignKey)
    })
  }

  async remove(campaign: string, contacts: readonly string[], actor: string | null): Promise<void> {
    const fact = { type: 'ContactsRemoved', data: { contacts } }
    await this.reached(await this.append(audienceStream(campaign), fact, actor))
  }

  /** Makes a person unreadable in every campaign and upload, and suppresses the numbers unless `suppress` is false. */
  async forget(contact: string, suppress = true): Promise<void> {
    const numbers = this.index.phonesOf(contact).map(phone => this.index.digestsOfRow({ contact, phone }))
    const why = { category: EVERY_CATEGORY, source: 'forgotten' } as const
    if (suppress) for (const number of numbers) await this.suppress(EVERYWHERE, number, why)
    const people = new Set([contact, ...numbers.flatMap(number => this.index.contactsOf(number))])
    for (const person of people) {
      const position = await this.#keys.forget(person)
      if (position !== undefined) await this.reached(position)
    }
  }

  /** Each spelling of a number is hashed once: `given` ones, and all known ones. */
  #spelled(number: string, given: readonly string[]): SpelledNumber {
    const [present, ...others] = phoneVariants(number)
    const spellings = [...new Set([number, present, ...others, ...given].map(each => each.replace(/^\+/, '')))]
    const [phone = '', ...aliases] = spellings.map(spelling => this.hmac(spelling))
    return { phone, aliases, key: [phone, ...aliases][spellings.indexOf(present)] ?? phone }
  }

  #short(text: string): string {
    return shortDigest(value => this.#options.keys.index.hmac(value), text)
  }

  /** The campaign's key; undefined when it has no audience or its key was destroyed. */
  async #campaignKey(campaign: string): Promise<Buffer | undefined> {
    const held = this.#campaignKeys.get(campaign)
    if (held !== undefined) return held
    const sealed = this.index.keyOf(campaign)
    const stream = audienceStream(campaign)
    const text =
      sealed === undefined
        ? undefined
        : await this.#options.keys.personal.decrypt(audienceHolder(campaign), sealed as JsonObject, stream)
    if (typeof text !== 'string') return undefined
    const key = Buffer.from(text, 'base64')
    this.#campaignKeys.set(campaign, key)
    return key
  }

  async #beginCampaign(campaign: string): Promise<Buffer> {
    for (;;) {
      const found = await this.#campaignKey(campaign)
      if (found !== undefined) return found
      const stream = audienceStream(campaign)
      const text = randomBytes(32).toString('base64')
      const key = await this.#options.keys.personal.encrypt(audienceHolder(campaign), text, stream)
      const { store } = this.#options
      const begun = exclusiveDrafts(stream, [{ type: 'AudienceBegun', data: { key } }])
      const end = await appendIfFirst(store, stream, NO_STREAM, begun)
      if (end !== undefined) await this.reached(end.position)
      // Another node has begun it.
      else for await (const { position } of store.read(stream, { limit: 1 })) await this.reached(position)
    }
  }
}

const jsonOf = (rows: readonly SealedContact[]) => rows as unknown as readonly JsonObject[]

export const openAudience = async (options: AudienceOptions): Promise<StoredAudience> => {
  const audience = new StoredAudience(options)
  await audience.begin()
  return audience
}
