import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { plainKeys } from '#commands/fixture/plain-keys.ts'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { MailOutcome } from '#domain/mail.ts'
import { mailStream } from '#schemas/events/mail.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { exclusiveDrafts } from '../log/stream-aggregate.ts'
import type { Mail } from './mail-transport.ts'
import { Mails } from './mails.ts'

const WAIT = { timeout: 15_000, interval: 5 }
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const PEOPLE: Readonly<Record<string, object>> = {
  ana: { username: 'ana', firstname: 'Ana', email: 'ana@aurora.example', language: 'en' },
  rui: { username: 'rui', email: 'rui@aurora.example', language: 'pt', mailoff: ['service'] },
  eva: { username: 'eva', email: 'eva@aurora.example', forgotten: true },
  leo: { username: 'leo' },
}
const ROWS: Readonly<Record<string, object>> = {
  channel: { name: 'WhatsApp Loja', hierarchylevel: 'shop' },
  bot: { name: 'Bia', hierarchylevel: 'shop' },
  apitoken: { name: 'CI', hierarchylevel: 'shop' },
  webhook: { name: 'Pedidos', hierarchylevel: 'shop' },
}

let folder: string
let store: EventStore
let now: number
/** Reads of the time: three in a look. */
let looks: number
let mails: Mail[]
/** Outcomes of the next attempts; a function may never answer. */
let outcomes: (MailOutcome | (() => Promise<MailOutcome>))[]
let opened: Mails[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-mails-'))
  store = await openEmbeddedStore({ folder })
  now = Date.now()
  looks = 0
  mails = []
  outcomes = []
  opened = []
})
afterEach(async () => {
  await Promise.all(opened.map(each => each.close()))
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const read = {
  detail: async (_: unknown, entity: string, id: string) =>
    entity === 'user' ? { id, hierarchylevel: 'shop' } : ROWS[entity],
  holdersAt: (permission: string, level: string) =>
    ['updatechannel', 'updatebot'].includes(permission) && level === 'shop' ? Object.keys(PEOPLE) : [],
  notifications: async () => ({ items: [] }),
} as unknown as ConstructorParameters<typeof Mails>[0]['read']

const open = async (node = 'one', file = ':memory:'): Promise<Mails> => {
  const made = new Mails({
    ...{ store, read, node, file, instance: 'Aurora', tickMs: 5, keys: plainKeys() },
    now: () => {
      looks += 1
      return now
    },
    lookup: { permissionsOfUser: async () => new Set<string>(), reached: async () => undefined },
    commands: { openFields: async (_entity, id) => PEOPLE[id] as never },
    people: { issueReset: async () => undefined },
    publicUrl: () => 'https://parley.example',
    transport: {
      async send(mail) {
        mails.push(mail)
        const outcome = outcomes.shift() ?? { kind: 'sent' }
        return typeof outcome === 'function' ? outcome() : outcome
      },
    },
    failed: error => {
      throw error
    },
  })
  opened.push(made)
  await made.begin()
  return made
}
const write = (stream: string, type: string, data: object) =>
  appendAtEnd(store, stream, exclusiveDrafts(stream, [{ type, data: data as never }]))
const changed = (user: string) => write(`user-${user}`, 'UserPasswordChanged', { fields: {} })
const give = (entity: string, message: string, more: object = {}) =>
  write(noticeStream(entity, 'x'), 'NoticeGiven', { entity, id: 'x', message, kind: 'alert', params: {}, ...more })
const sent = (count: number) => vi.waitFor(() => expect(mails).toHaveLength(count), WAIT)
/** Nothing more is sent in 20 looks. */
const stays = async (count: number) => {
  const before = looks
  await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 60), WAIT)
  expect(mails).toHaveLength(count)
}
const storedOf = async ({ id }: Mail): Promise<readonly string[]> => {
  const types: string[] = []
  for await (const { type } of store.read(mailStream(id))) types.push(type)
  return types
}
const first = (): Mail => {
  const [mail] = mails
  if (mail === undefined) throw new Error('no mail')
  return mail
}
const endsWith = (type: string, mail = first()) =>
  vi.waitFor(async () => expect((await storedOf(mail)).at(-1)).toBe(type), WAIT)

test('tries for 24 hours with growing pauses, then gives up and tells the bell [P-2774]', async () => {
  await open()
  outcomes = Array.from({ length: 30 }, () => ({ kind: 'later', code: 'ECONNECTION' }) as const)
  const begun = now
  await changed('ana')
  await sent(1)
  const pauses: number[] = []
  for (let count = 1; ; count += 1) {
    await endsWithAny(count)
    const types = await storedOf(first())
    if (types.at(-1) === 'MailGivenUp') break
    const due = await dueOf(first())
    pauses.push(due - now)
    now = due
    await sent(count + 1)
  }
  expect(pauses.slice(0, 4)).toEqual([10_000, 30_000, 2 * MINUTE_MS, 5 * MINUTE_MS])
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other))
  expect(now - begun).toBeLessThan(24 * HOUR_MS)
  expect(now - begun).toBeGreaterThan(19 * HOUR_MS)
  await vi.waitFor(async () => {
    const notices = []
    for await (const { data } of store.read(noticeStream('user', 'ana'))) notices.push(data)
    expect(notices).toMatchObject([{ message: 'user.mailfailed', recipients: ['ana'] }])
  }, WAIT)
})

const dueOf = async ({ id }: Mail): Promise<number> => {
  for await (const { data } of store.read(mailStream(id), { direction: 'backwards', limit: 1 })) return Number(data.due)
  return 0
}
/** The attempt with this number is stored. */
const endsWithAny = (count: number) =>
  vi.waitFor(async () => {
    const done = (await storedOf(first())).filter(type => type === 'MailTried' || type === 'MailGivenUp')
    expect(done).toHaveLength(count)
  }, WAIT)

test('sends a mail once from several nodes, and once more after a death between sending and storing [P-2775]', async () => {
  await open('one')
  await open('two')
  await changed('ana')
  await sent(1)
  await endsWith('MailSent')
  await stays(1)

  // Its node takes the next one and dies.
  outcomes.push(() => new Promise<MailOutcome>(() => undefined))
  await changed('rui')
  await sent(2)
  await stays(2)
  now += MINUTE_MS
  await sent(3)
  expect(mails[2]?.id).toBe(mails[1]?.id)
  await endsWith('MailSent', mails[2])
  now += HOUR_MS
  await stays(3)
})

test('loses no mail when its index is lost, and repeats none [P-2776]', async () => {
  const before = await open()
  await changed('ana')
  await sent(1)
  await endsWith('MailSent')
  await before.close()
  opened = []
  await changed('rui')
  now += 23 * HOUR_MS
  await open('two')
  await sent(2)
  await stays(2)
  expect(mails.map(({ to }) => to)).toEqual(['ana@aurora.example', 'rui@aurora.example'])
})

test('sends 20 mails an hour to a person, and the others later [P-2777]', async () => {
  await open()
  for (let count = 0; count < 23; count += 1) await changed('ana')
  await changed('rui')
  await sent(21)
  await stays(21)
  expect(mails.filter(({ to }) => to.startsWith('rui'))).toHaveLength(1)
  now += HOUR_MS + 1
  await sent(24)
})

test('an installation sends 1,000 mails an hour, and the others later [P-2747]', async () => {
  const about = { user: 'eva', kind: 'credentials', about: {}, time: now, until: now }
  const before = (n: number) => {
    const stream = mailStream(`before${n}.eva`)
    const facts = [
      { type: 'MailQueued', data: about },
      { type: 'MailSent', data: { tries: 1, sent: now } },
    ]
    return appendAtEnd(store, stream, exclusiveDrafts(stream, facts))
  }
  await Promise.all(Array.from({ length: 999 }, (_, n) => before(n)))
  await open()
  await changed('ana')
  await sent(1)
  await changed('rui')
  await stays(1)
  now += HOUR_MS + 1
  await sent(2)
}, 60_000)

test('mails a broken channel to those who may change it, and a token to its owner [P-2778]', async () => {
  await open()
  await give('channel', 'channel.error')
  await give('channel', 'channel.warning')
  await give('apitoken', 'apitoken.expiring', {
    params: { name: 'CI', days: 3, page: '/apitoken/x' },
    recipients: ['rui'],
  })
  await give('webhook', 'webhook.off', { params: { reason: 'gone' }, recipients: ['rui'] })
  await sent(3)
  const [broken, ...others] = mails.toSorted((one, other) => one.to.localeCompare(other.to))
  expect(broken).toMatchObject({
    to: 'ana@aurora.example',
    subject: 'WhatsApp Loja cannot send or receive messages',
    unsubscribe: 'https://parley.example/botadmin/account/mail',
  })
  expect(broken?.text).toContain('https://parley.example/botadmin/channel/x')
  expect(others.map(({ to }) => to)).toEqual(['rui@aurora.example', 'rui@aurora.example'])
  const texts = others.map(({ text }) => text).join()
  expect(texts).toContain('https://parley.example/botadmin/apitoken/x')
  expect(texts).toContain('https://parley.example/botadmin/webhook/x')
  await stays(3)
})

test('mails a bot that is down to those who may change it [P-2745]', async () => {
  await open()
  await give('bot', 'bot.runtimedown', { params: { code: 'log' } })
  await give('bot', 'bot.week', { recipients: [] })
  await sent(1)
  expect(first()).toMatchObject({
    to: 'ana@aurora.example',
    subject: 'The bot Bia does not answer: its runtime is down',
  })
  expect(first().text).toContain('https://parley.example/botadmin/bot/x')
  await stays(1)
})

test('mails a passkey that is added or removed as changed credentials, and no other change of one [P-2787]', async () => {
  await open()
  for (const verb of ['Used', 'Renamed', 'Added', 'Removed'])
    await write('user-ana', `UserPasskey${verb}`, { fields: { passkeys: [] } })
  await write('user-rui', 'UserPasskeyAdded', { fields: { passkeys: [] } })
  await sent(3)
  await stays(3)
  const subjectsTo = (name: string) =>
    mails.flatMap(({ to, subject }) => (to.startsWith(name) ? [subject] : [])).toSorted()
  expect(subjectsTo('ana')).toEqual(['A passkey was added to your account', 'A passkey was removed from your account'])
  expect(subjectsTo('rui')).toEqual(['Uma chave de acesso foi adicionada à sua conta'])
  expect(first().text).toContain('https://parley.example/botadmin/account/sessions')
  expect(first().unsubscribe).toBeUndefined()
})

test('mails the link to an account at an identity provider as changed credentials [P-2738]', async () => {
  await open()
  const data = { entity: 'user', id: 'ana', message: 'user.linked', kind: 'warn', params: { host: 'id.example' } }
  await write('notice-user-ana', 'NoticeGiven', { ...data, recipients: ['ana'] })
  await sent(1)
  await stays(1)
  expect(first().subject).toBe('Your account was linked to an account at an identity provider')
  expect(first().to).toMatch(/^ana/u)
  expect(first().unsubscribe).toBeUndefined()
})

test('puts no name into the subject that would begin another header [P-2779]', async () => {
  await open()
  const names = ROWS as Record<string, { name: string }>
  const { name } = names.channel ?? { name: '' }
  Object.assign(names.channel ?? {}, { name: 'Loja\r\nBcc: spy@evil.example\u2028x' })
  await give('channel', 'channel.error')
  await sent(1)
  expect(first().subject).toBe('Loja Bcc: spy@evil.example x cannot send or receive messages')
  Object.assign(names.channel ?? {}, { name })
})
