import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import { openPhones } from '#domain/audience/phone.ts'
import { exclusiveDrafts } from '#runtime/log/stream-aggregate.ts'
import { corpusJson } from '#test/fixture/corpus.ts'
import { openTestAudience, personOf, type TestAudience } from './open-test-audience.ts'

const FIRST = 'campaign-one'
const OTHER = 'campaign-two'

let folder: string
let opened: TestAudience
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-audience-'))
  opened = await openTestAudience(folder)
})
afterEach(async () => {
  await opened.close()
  rmSync(folder, { recursive: true, force: true })
})

const reopen = async () => {
  await opened.close()
  opened = await openTestAudience(folder)
}

const people = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => personOf(from + place))

const phonesIn = async (campaign: string): Promise<readonly string[]> => {
  const { rows } = await opened.audience.page(campaign, 0, 10_000)
  const clear = await opened.audience.open(
    campaign,
    rows.map(({ contact }) => contact),
  )
  return rows.map(({ contact }) => clear.get(contact)?.phone ?? '')
}

/** Everything in the folder, as bytes. */
const bytesIn = (place: string): string =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

describe('an audience', () => {
  it('gives the people of a campaign in the order in which they were added, page by page [P-1330]', async () => {
    const { audience } = opened
    await audience.add(FIRST, people(0, 2500), 'somebody')
    await audience.add(OTHER, people(0, 3), 'somebody')
    expect(await audience.count(FIRST)).toBe(2500)
    const seen: string[] = []
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = await audience.page(FIRST, after, 1000)
      const clear = await audience.open(
        FIRST,
        page.rows.map(({ contact }) => contact),
      )
      for (const { contact } of page.rows) seen.push(clear.get(contact)?.phone ?? '')
      after = page.next
    }
    expect(seen).toEqual(people(0, 2500).map(({ phone }) => phone))
    const [row] = (await audience.page(FIRST, 0, 1)).rows
    const clear = await audience.open(FIRST, [row?.contact ?? ''])
    expect([...clear.values()]).toEqual([{ phone: '+5511910000000', nome: 'Pessoa 0', fields: { field01: 'valor 0' } }])
    expect(row?.phone).toBe(audience.hmac('+5511910000000'))
  })

  it('takes one number into a campaign once, and gives it one contact in all campaigns [P-1331]', async () => {
    const { audience } = opened
    const { contacts } = await audience.add(FIRST, [personOf(1), personOf(2), personOf(1, 'Outra')], null)
    expect(contacts.map(({ isDuplicate }) => isDuplicate)).toEqual([false, false, true])
    expect(contacts[2]?.contact).toBe(contacts[0]?.contact)
    const again = await audience.add(FIRST, [personOf(2), personOf(3)], null)
    expect(again.contacts.map(({ isDuplicate }) => isDuplicate)).toEqual([true, false])
    const elsewhere = await audience.add(OTHER, [personOf(2)], null)
    expect(elsewhere.contacts[0]?.contact).toBe(contacts[1]?.contact)
    expect(await audience.count(FIRST)).toBe(3)
    const clear = await audience.open(FIRST, [contacts[0]?.contact ?? ''])
    expect([...clear.values()][0]?.nome).toBe('Pessoa 1')
  })

  it('has the same people after its index is made again from the log [P-1332]', async () => {
    await opened.audience.add(FIRST, people(0, 1200), null)
    const { rows } = await opened.audience.page(FIRST, 0, 5)
    await opened.audience.remove(FIRST, [rows[1]?.contact ?? ''], null)
    const before = await opened.audience.page(FIRST, 0, 2000)
    await opened.close()
    for (const name of readdirSync(join(folder, 'conversations')))
      if (name.startsWith('audience.sqlite')) rmSync(join(folder, 'conversations', name))
    opened = await openTestAudience(folder)
    expect((await opened.audience.page(FIRST, 0, 2000)).rows).toEqual(before.rows)
    expect(await opened.audience.count(FIRST)).toBe(1199)
  })

  it('writes numbers, names and fields as ciphertext alone [P-1333]', async () => {
    const person = { ...personOf(7, 'Conceição Albuquerque'), fields: { field16: 'apartamento 4021' } }
    await opened.audience.add(FIRST, [person], null)
    const stopped = opened.audience.digestsOf({ phone: person.phone })
    await opened.audience.suppress('*', stopped, { category: 'marketing', source: 'word' })
    await reopen()
    const bytes = bytesIn(folder)
    for (const clear of ['10000007', 'Albuquerque', 'apartamento 4021']) expect(bytes).not.toContain(clear)
    expect(await phonesIn(FIRST)).toEqual([person.phone])
  })

  it('makes who is forgotten unreadable in every campaign, and sends nothing more to the number [P-1334]', async () => {
    const { audience } = opened
    const { contacts } = await audience.add(FIRST, people(0, 300), null)
    await audience.add(OTHER, people(0, 2), null)
    const contact = contacts[1]?.contact ?? ''
    await audience.forget(contact)
    for (const campaign of [FIRST, OTHER]) expect((await audience.open(campaign, [contact])).size).toBe(0)
    expect(await audience.count(FIRST)).toBe(299)
    expect(await audience.count(OTHER)).toBe(1)
    const number = audience.digestsOf({ phone: personOf(1).phone })
    expect(audience.isSuppressed({ lists: ['*'], category: 'utility' }, number)).toBe(true)
    await reopen()
    expect((await opened.audience.open(FIRST, [contact])).size).toBe(0)
    expect((await phonesIn(FIRST)).length).toBe(299)
    // A returning contact gets a new id.
    const again = await opened.audience.add(FIRST, [personOf(1)], null)
    expect(again.contacts[0]?.contact).not.toBe(contact)
    expect(await phonesIn(FIRST)).toContain(personOf(1).phone)
  })

  it('forgets again who comes back with an older copy of the log [P-1335]', async () => {
    const { contacts } = await opened.audience.add(FIRST, people(0, 5), null)
    const contact = contacts[2]?.contact ?? ''
    await opened.close()
    const copy = mkdtempSync(join(tmpdir(), 'parley-audience-copy-'))
    cpSync(folder, copy, { recursive: true })
    opened = await openTestAudience(folder)
    await opened.audience.forget(contact)
    await opened.close()
    const list = readFileSync(join(folder, 'forgotten.txt'))
    rmSync(folder, { recursive: true })
    cpSync(copy, folder, { recursive: true })
    rmSync(copy, { recursive: true })
    await import('node:fs/promises').then(({ writeFile }) => writeFile(join(folder, 'forgotten.txt'), list))
    opened = await openTestAudience(folder)
    expect((await opened.audience.open(FIRST, [contact])).size).toBe(0)
    expect(await phonesIn(FIRST)).toEqual([0, 1, 3, 4].map(n => personOf(n).phone))
  })

  it('suppresses a number in a list and for a category [P-1336]', async () => {
    const { audience } = opened
    const { contacts } = await audience.add(FIRST, [personOf(1), personOf(2)], null)
    const rows = [1, 2].map(n => ({ contact: contacts[n - 1]?.contact ?? '', phone: audience.hmac(personOf(n).phone) }))
    const number = audience.digestsOf({ phone: personOf(1).phone })
    const why = { category: 'marketing', source: 'word' } as const
    expect([await audience.suppress('level', number, why), await audience.suppress('level', number, why)]).toEqual([
      true,
      false,
    ])
    const stoppedIn = (list: string, category: string) => audience.suppressed({ lists: [list], category }, rows)
    expect(await stoppedIn('level', 'marketing')).toEqual(new Set([rows[0]?.phone]))
    expect(await stoppedIn('level', 'utility')).toEqual(new Set())
    expect(await stoppedIn('other', 'marketing')).toEqual(new Set())
  })

  it('suppresses a person once under all spellings, and finds the suppression by each [P-1761]', async () => {
    const { audience } = opened
    const readPhone = await openPhones()
    const { cases } = corpusJson<{
      cases: readonly { readonly input: string; readonly aliases?: readonly string[] }[]
    }>('campaigns/constructed/phones.json')
    const spelled = new Map<string, Set<string>>()
    for (const { input, aliases = [] } of cases) {
      const reading = readPhone(input)
      if (!reading.ok) continue
      const { e164 } = reading.phone
      const all = spelled.get(e164) ?? new Set()
      for (const spelling of [e164, e164.slice(1), ...aliases]) all.add(spelling)
      spelled.set(e164, all)
    }
    expect(spelled.size).toBeGreaterThan(8)
    const scope = { lists: ['*'], category: 'marketing' }
    const isStopped = (phone: string) => audience.isSuppressed(scope, audience.digestsOf({ phone }))
    let before = 0
    for (const [number, spellings] of spelled) {
      for (const spelling of spellings) expect(isStopped(spelling), spelling).toBe(false)
      for (const spelling of [...spellings].toReversed())
        await audience.suppress('*', audience.digestsOf({ phone: spelling }), { category: 'marketing', source: 'word' })
      for (const spelling of spellings) expect(isStopped(spelling), spelling).toBe(true)
      const [{ count } = { count: 0 }] = audience.index.suppressions.countsBySource(['*'])
      expect(count - before, number).toBe(1)
      before = count
    }
  })

  it('finds suppressions from before the log held all spellings [P-1761]', async () => {
    const { audience, store } = opened
    const [, alias = ''] = audience.digestsOf({ phone: '+5511987650003' })
    const stream = 'suppression-account'
    const old = { type: 'ContactSuppressed', data: { category: 'marketing', phone: alias, source: 'reply' } }
    const { position } = await appendAtEnd(store, stream, exclusiveDrafts(stream, [old]))
    await audience.reached(position)
    const scope = { lists: ['*', 'account'], category: 'marketing' }
    expect(audience.isSuppressed(scope, audience.digestsOf({ phone: '+5511987650003' }))).toBe(true)
  })

  it('lifts only what the same source set [P-1762]', async () => {
    const { audience } = opened
    const number = audience.digestsOf({ phone: personOf(1).phone })
    const scope = { lists: ['*'], category: 'marketing' }
    const stop = (source: 'meta' | 'word') => audience.suppress('*', number, { category: 'marketing', source })
    const resume = (source: 'meta' | 'word') =>
      audience.resume('*', number, { category: 'marketing', source, lifts: [source] })
    await stop('meta')
    await stop('word')
    expect([await resume('meta'), audience.isSuppressed(scope, number)]).toEqual([true, true])
    expect([await resume('word'), audience.isSuppressed(scope, number)]).toEqual([true, false])
    expect(await resume('word')).toBe(false)
    expect(audience.index.suppressions.historyOf(['*'], number).map(({ kind, source }) => `${kind} ${source}`)).toEqual(
      ['start word', 'start meta', 'stop word', 'stop meta'],
    )
  })
})
