import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { decrypt, encrypt, type NodeKeys } from '#commands/keys/secret.ts'
import { NO_STREAM } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { TimeSlicer } from '#commands/time-slicer.ts'
import type { JsonObject } from '#schemas/event.ts'
import {
  AUDIENCE_PREFIXES,
  audienceHolder,
  audienceStream,
  CONTACT_KEYS_PREFIX,
  type PassedOptOut,
  type ResumedContact,
  type SealedContact,
  type SuppressedContact,
  suppressionStream,
} from '#schemas/events/campaign.ts'
import { appendAtEnd, appendIfFirst, exclusiveDrafts, type StreamFact } from '../../log/stream-aggregate.ts'
import {
  type AddedContacts,
  type Audience,
  type AudienceRow,
  chunksOf,
  EVERY_CATEGORY,
  EVERYWHERE,
  type MemberRow,
  type NewContact,
  type OpenedContact,
  type PersonDigests,
  type PersonIdentifiers,
  personDigests,
  type Suppression,
  type SuppressionScope,
  shortDigest,
  storedDigests,
} from './audience.ts'
import { AudienceIndex } from './audience-index.ts'
import { ContactKeys, openRow, sealRow } from './contact-keys.ts'

/** Suppressions that are written with one append. */
const APPENDED_TOGETHER = 500

interface AudienceOptions {
  readonly store: EventStore
  readonly keys: Pick<NodeKeys, 'secret' | 'personal' | 'index'>
  /** File of the index, which can be rebuilt. */
  readonly file: string
  readonly failed: (error: unknown) => void
}

/** A row of a campaign with its content; undefined when it cannot be decrypted. */
export interface OpenedMember extends MemberRow {
  readonly opened: OpenedContact | undefined
}

/** Audiences stored in their log. */
export class StoredAudience implements Audience {
  readonly index: AudienceIndex
  readonly #options: AudienceOptions
  readonly #keys: ContactKeys
  readonly #campaignKeys = new Map<string, Buffer>()

  constructor(options: AudienceOptions) {
    this.#options = options
    this.index = new AudienceIndex(options.file)
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
      ({ contact, phone, country, added, upload, line }): AudienceRow => ({
        ...{ contact, phone, country, addedAt: added },
        ...(upload === null || line === null ? {} : { upload, line }),
      }),
    )
    return { rows, next: found.length < limit ? undefined : found.at(-1)?.place }
  }

  async count(campaign: string): Promise<number> {
    return this.index.count(campaign)
  }

  async open(campaign: string, contacts: readonly string[]): Promise<ReadonlyMap<string, OpenedContact>> {
    const members = contacts.flatMap(contact => this.index.member(campaign, contact) ?? [])
    const opened = await this.openMembers(campaign, members)
    return new Map(opened.flatMap(({ contact, opened: clear }) => (clear === undefined ? [] : [[contact, clear]])))
  }

  /** Decrypts rows of a campaign. */
  async openMembers(campaign: string, members: readonly MemberRow[]): Promise<readonly OpenedMember[]> {
    const campaignKey = await this.#campaignKey(campaign)
    const keys = await this.#keys.find(members.map(({ contact }) => contact))
    return members.map(member => {
      const contactKey = keys.get(member.contact)
      if (contactKey === undefined || campaignKey === undefined) return { ...member, opened: undefined }
      const { contact, sealed } = member
      return { ...member, opened: openRow({ campaign, contact, contactKey, campaignKey }, sealed) }
    })
  }

  async suppressed(
    scope: SuppressionScope,
    rows: readonly Pick<AudienceRow, 'contact' | 'phone'>[],
  ): Promise<ReadonlySet<string>> {
    const found = rows.filter(row => this.index.isSuppressed(scope, this.index.digestsOfRow(row)))
    return new Set(found.map(({ phone }) => phone))
  }

  isSuppressed(scope: SuppressionScope, person: PersonDigests): boolean {
    return this.index.isSuppressed(scope, person)
  }

  digestsOf(person: PersonIdentifiers): PersonDigests {
    return personDigests(text => this.#short(text), person)
  }

  digestsOfRow(row: Pick<AudienceRow, 'contact' | 'phone'>): PersonDigests {
    return this.index.digestsOfRow(row)
  }

  async suppress(list: string, person: PersonDigests, why: Suppression): Promise<boolean> {
    const { category, source, rule = '', reason = '', actor = null, origin } = why
    // Sources are lifted separately: a person stopped by Meta who then opts out is stopped twice.
    const isHeld = (digest: string) =>
      this.index.suppressionsOf({ lists: [list], category }, storedDigests([digest])).includes(source)
    if (person.every(isHeld)) return false
    const data: SuppressedContact = { category, person, source, rule, reason, ...origin }
    await this.#tell(list, 'ContactSuppressed', data, actor)
    return true
  }

  /** Suppresses many people. Returns the number of those who were not suppressed in the list before. */
  async suppressAll(list: string, people: readonly PersonDigests[], why: Suppression): Promise<number> {
    const { category, source, rule = '', reason = '', actor = null } = why
    const given = new Set<string>()
    const slices = new TimeSlicer()
    const facts: StreamFact[] = []
    let added = 0
    for (const person of people) {
      if (slices.isOver) await slices.next()
      const present = this.index.suppressionsOf({ lists: [list], category }, person)
      if (present.includes(source) || person.some(digest => given.has(digest))) continue
      for (const digest of person) given.add(digest)
      if (present.length === 0) added += 1
      facts.push({ type: 'ContactSuppressed', data: { category, person, source, rule, reason } })
    }
    const stream = suppressionStream(list)
    let position: string | undefined
    for (let at = 0; at < facts.length; at += APPENDED_TOGETHER) {
      const drafts = exclusiveDrafts(stream, facts.slice(at, at + APPENDED_TOGETHER), actor)
      position = (await appendAtEnd(this.#options.store, stream, drafts)).position
    }
    if (position !== undefined) await this.reached(position)
    return added
  }

  /** Lifts the suppressions of a person that came from these sources; false when there is none. */
  async resume(
    list: string,
    person: PersonDigests,
    why: Suppression & { readonly lifts: readonly string[] },
  ): Promise<boolean> {
    const { category, source, rule = '', reason = '', actor = null, origin, lifts } = why
    const categories = [category, EVERY_CATEGORY]
    const present = this.index.suppressionsOf({ lists: [list], category }, person)
    if (!present.some(each => lifts.includes(each))) return false
    const data: ResumedContact = { person, categories, sources: lifts, source, rule, reason, ...origin }
    await this.#tell(list, 'ContactResumed', data, actor)
    return true
  }

  /** Stores that a word was not taken as an opt-out, and the rule that said so. */
  async passed(list: string, person: PersonDigests, rule: string): Promise<void> {
    await this.#tell(list, 'OptOutPassed', { person, rule } satisfies PassedOptOut, null)
  }

  /** Adds people to a campaign, in chunks; of equal numbers the first wins. */
  async add(campaign: string, contacts: readonly NewContact[], actor: string | null): Promise<AddedContacts> {
    const { rows, outcome } = await this.seal(campaign, contacts)
    const stream = audienceStream(campaign)
    let position: string | undefined
    for (const chunk of chunksOf(rows))
      position = await this.#append(stream, { type: 'ContactsAdded', data: { rows: jsonOf(chunk) } }, actor)
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
    const given: {
      readonly contact: NewContact
      readonly phone: string
      /** The same for all spellings of the number. */
      readonly key: string
      readonly known: string | undefined
    }[] = []
    const seen = new Map<string, string>()
    const isFirst: boolean[] = []
    for (const contact of contacts) {
      const number = this.digestsOf({ phone: contact.phone })
      const [key = ''] = number
      const known = this.index.memberWith(campaign, number)?.contact
      given.push({ contact, phone: this.hmac(contact.phone), key, known })
      isFirst.push(known === undefined && !seen.has(key))
      if (isFirst.at(-1) === true)
        seen.set(key, this.index.contactsOf(number).find(one => !this.index.isForgotten(one)) ?? '')
      if (slices.isOver) await slices.next()
    }
    const fresh = await this.#keys.make([...seen.values()].filter(contact => contact === '').length)
    const made = new Map(fresh.map(({ contact, key }) => [contact, key]))
    let next = 0
    for (const [key, contact] of seen) if (contact === '') seen.set(key, fresh[next++]?.contact ?? '')
    const old = await this.#keys.find([...seen.values()].filter(contact => !made.has(contact)))
    const rows: SealedContact[] = []
    for (const [place, { contact: clear, phone, key }] of given.entries()) {
      const contact = seen.get(key) ?? ''
      const contactKey = made.get(contact) ?? old.get(contact)
      if (isFirst[place] !== true || contactKey === undefined) continue
      const { country, aliases, line, ...opened } = clear
      const sealed = sealRow({ campaign, contact, contactKey, campaignKey }, opened)
      const spelled = { contact, phone, aliases: this.#aliases(clear.phone, aliases) }
      rows.push({ ...spelled, country, sealed, ...(line === undefined ? {} : { line }) })
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
      const spelled = { phone: this.hmac(before.phone), aliases: this.#aliases(before.phone, [...aliases, phone]) }
      rows.push({ contact, ...spelled, country, sealed })
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
    const { country, aliases, ...opened } = clear
    const data: SealedContact = {
      contact,
      phone: this.hmac(clear.phone),
      aliases: this.#aliases(clear.phone, aliases),
      country,
      sealed: sealRow({ campaign, contact, contactKey, campaignKey }, opened),
    }
    const fact = { type: 'ContactChanged', data: data as unknown as JsonObject }
    await this.reached(await this.#append(audienceStream(campaign), fact, actor))
    return true
  }

  async remove(campaign: string, contacts: readonly string[], actor: string | null): Promise<void> {
    const fact = { type: 'ContactsRemoved', data: { contacts } }
    await this.reached(await this.#append(audienceStream(campaign), fact, actor))
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

  /** Waits until the index includes a position. */
  reached(position: string): Promise<void> {
    return this.index.reached(position)
  }

  /** HMACs of the other spellings of a number: those of the contact, and all known ones. */
  #aliases(phone: string, given: readonly string[]): readonly string[] {
    const all = new Set([...given.map(alias => this.hmac(alias)), ...this.digestsOf({ phone })])
    all.delete(this.hmac(phone))
    return [...all]
  }

  #short(text: string): string {
    return shortDigest(value => this.#options.keys.index.hmac(value), text)
  }

  async #tell(list: string, type: string, data: object, actor: string | null): Promise<void> {
    const fact = { type, data: data as JsonObject }
    await this.reached(await this.#append(suppressionStream(list), fact, actor))
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

  /** Appends at the end of the stream, at any revision. Returns the position. */
  async #append(stream: string, fact: StreamFact, actor: string | null): Promise<string> {
    return (await appendAtEnd(this.#options.store, stream, exclusiveDrafts(stream, [fact], actor))).position
  }
}

const jsonOf = (rows: readonly SealedContact[]) => rows as unknown as readonly JsonObject[]

export const openAudience = async (options: AudienceOptions): Promise<StoredAudience> => {
  const audience = new StoredAudience(options)
  await audience.begin()
  return audience
}
