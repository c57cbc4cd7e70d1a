import { request } from 'node:http'
import { generateSync } from 'otplib'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { startMailServer, type TakenMail } from '#test/doubles/mail-server.ts'
import { openAdmin } from './open-parley.ts'
import { PASSWORD } from './people.ts'

// One world: an administrator, and people with and without an address and a password.
const WAIT = { timeout: 30_000, interval: 20 }
const NEW = 'Outra-Senha-2026!'

const server = await startMailServer()
const { parley, admin } = await openAdmin({
  env: {
    ...{ MAIL_URL: server.url, MAIL_FROM: 'Parley <parley@aurora.example>', INSTANCE_NAME: 'Aurora' },
    TRUSTED_PROXIES: '127.0.0.1',
  },
  limits: { mail: { tickMs: 50, unreadMs: 8_000 } },
})
const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)
afterAll(() => server.close())

let addresses = 0
/** A new source address for each call. */
const from = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` })
const user = (username: string, more: object = {}) =>
  admin.create('user', { username, password: PASSWORD, email: `${username}@aurora.example`, language: 'en', ...more })
const mailsTo = (username: string): readonly TakenMail[] =>
  server.mails.filter(({ to }) => to.includes(`${username}@aurora.example`))
/** The next mail to a person after these. */
const mailTo = (username: string, after = 0): Promise<TakenMail> =>
  vi.waitFor(() => {
    const mail = mailsTo(username)[after]
    if (mail === undefined) throw new Error(`no mail to ${username}`)
    return mail
  }, WAIT)
const forgot = (username: string, headers: Record<string, string> = from()) =>
  parley.anyone.post('/user/password/forgot', { username }, headers)
const subjectsTo = (username: string) => mailsTo(username).map(({ headers }) => headers.get('subject'))
const RESET = 'Choose a new password'
const tokenIn = ({ text }: TakenMail): string => /\/newpassword#([\w-]+)/.exec(text)?.[1] ?? ''
const reset = (token: string, password = NEW, confirm = password, headers = from()) =>
  parley.anyone.post('/user/password/reset', { token, new: password, confirm }, headers)

describe('a forgotten password', () => {
  test('is replaced by a link in a mail, once, and ends all sessions [P-2765]', async () => {
    await user('rita', { firstname: 'Rita' })
    const before = await parley.signIn('rita', PASSWORD)
    expect((await forgot('rita')).status).toBe(204)
    const mail = await mailTo('rita')
    expect(mail.from).toBe('parley@aurora.example')
    expect(mail.headers.get('from')).toBe('Parley <parley@aurora.example>')
    expect(mail.headers.get('subject')).toBe('Choose a new password')
    expect(mail.headers.has('list-unsubscribe')).toBe(false)
    expect(mail.text).toContain('Hello Rita,')
    expect(mail.text).toContain(`${parley.origin}/botadmin/newpassword#`)
    expect(mail.html).toContain(`href="${parley.origin}/botadmin/newpassword#`)
    const token = tokenIn(mail)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)

    expect((await reset(token, 'short')).body.code).toBe('user.password.rules')
    expect((await reset(token, NEW, `${NEW}x`)).body.code).toBe('user.password.confirm')
    expect((await reset(token, PASSWORD)).body.code).toBe('user.password.same')
    expect((await reset(token)).status).toBe(204)
    expect((await before.get('/auth/user')).status).toBe(401)
    expect((await parley.anyone.post('/auth/login', { username: 'rita', password: PASSWORD })).status).toBe(401)
    const after = await parley.signIn('rita', NEW)
    expect((await after.get('/auth/user')).status).toBe(200)

    const again = await reset(token, `${NEW}2`)
    expect([again.status, again.body.code]).toEqual([400, 'auth.reset'])
    const told = await mailTo('rita', 1)
    expect(told.headers.get('subject')).toBe('Your password was changed')
  })

  test('keeps the second factor, and ends the other links [P-2766]', async () => {
    await user('sara')
    const sara = await parley.signIn('sara', PASSWORD)
    const { secret } = (await sara.post('/user/register2fa', {})).body as unknown as { secret: string }
    expect((await sara.post('/user/verify2fa', { token: generateSync({ secret }) })).status).toBe(200)
    await mailTo('sara')
    await forgot('sara')
    const first = await mailTo('sara', 1)
    await forgot('SARA@aurora.example')
    const second = await mailTo('sara', 2)
    expect(tokenIn(second)).not.toBe(tokenIn(first))
    expect((await reset(tokenIn(second))).status).toBe(204)
    expect((await reset(tokenIn(first), `${NEW}2`)).body.code).toBe('auth.reset')
    const half = await parley.anyone.post('/auth/login', { username: 'sara', password: NEW })
    expect(half.body).toMatchObject({ token: {}, twofactorenabled: true })
  })

  test('is answered alike for every name, and mailed to people with a password and an address alone [P-2767]', async () => {
    await user('tito', { password: undefined })
    await user('vera', { email: undefined })
    const locked = await user('xico')
    await admin.post(`/user/${locked}/lock`, {})
    await user('zeca')
    const answers = []
    const took: Record<string, number> = {}
    for (const name of ['nobody', 'tito', 'vera', 'xico', 'zeca']) {
      const began = performance.now()
      const { status, text, headers } = await forgot(name)
      took[name] = performance.now() - began
      answers.push({ status, text, headers: [...headers.keys()].filter(one => one !== 'keep-alive').toSorted() })
    }
    expect(new Set(answers.map(answer => JSON.stringify(answer)))).toHaveLength(1)
    expect(answers[0]).toMatchObject({ status: 204, text: '' })
    // Answers come after whole steps of 150 ms.
    for (const ms of Object.values(took)) expect(ms).toBeGreaterThan(145)
    await mailTo('zeca')
    expect(mailsTo('tito')).toEqual([])
    expect(server.mails.some(({ to }) => to.some(address => address.startsWith('vera')))).toBe(false)
    await vi.waitFor(() => expect(subjectsTo('xico')).toEqual(['Your account was locked']), WAIT)
  })

  test('is mailed at most 3 times an hour under a name, and 10 times for an address [P-2768]', async () => {
    await user('bia')
    for (let wish = 0; wish < 5; wish += 1) expect((await forgot('bia')).status).toBe(204)
    const at = from()
    for (let one = 0; one < 11; one += 1) {
      await user(`many${one}`)
      expect((await forgot(`many${one}`, at)).status).toBe(204)
    }
    await user('last')
    await forgot('last')
    await mailTo('last')
    await vi.waitFor(() => expect(subjectsTo('many9')).toEqual([RESET]), WAIT)
    expect(subjectsTo('bia')).toEqual([RESET, RESET, RESET])
    expect(subjectsTo('many10')).toEqual([])
  }, 60_000)

  test('leads to PUBLIC_URL, with any host in a request [P-2769]', async () => {
    await user('dora')
    const { hostname, port } = new URL(parley.origin)
    const body = JSON.stringify({ username: 'dora' })
    const headers = {
      ...{ 'content-type': 'application/json', 'content-length': body.length },
      ...{ host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    }
    const status = await new Promise(resolve => {
      const path = '/botadmin/api/user/password/forgot'
      request({ hostname, port, path, method: 'POST', headers }, answer => resolve(answer.statusCode)).end(body)
    })
    expect(status).toBe(204)
    const { raw, text } = await mailTo('dora')
    expect(raw).not.toContain('evil')
    expect(text).toContain(`${parley.origin}/botadmin/newpassword#`)
  })

  test('refuses guessed and damaged links alike, and counts them [P-2770]', async () => {
    await user('caio')
    await forgot('caio')
    const token = tokenIn(await mailTo('caio'))
    const wrong = [`${token.slice(0, -2)}AA`, token.slice(0, -1), `${token}A`, 'x', '../../user']
    for (const one of wrong) {
      const { status, body } = await reset(one)
      expect([one, status, body.code]).toEqual([one, 400, 'auth.reset'])
    }
    const one = from()
    const guesses = []
    for (let guess = 0; guess < 61; guess += 1) guesses.push(await reset('guess', NEW, NEW, one))
    expect(guesses.map(({ status }) => status)).toEqual([...Array.from({ length: 60 }, () => 400), 429])
  })
})

describe('mail about notifications', () => {
  test('joins what is left unread, without the words of comments [P-2771]', async () => {
    const hierarchylevel = root
    const role = await admin.create('role', { name: 'Readers', actions: ['readdialog', 'readdialogtask'] })
    const usergroup = [await admin.create('usergroup', { name: 'Readers', roles: [role] })]
    const hugo = await user('hugo', { usergroup, language: 'es', firstname: 'Hugo <b>' })
    const ines = await user('ines', { usergroup })
    const { dialog } = await admin.createDialog({ name: 'Lume', hierarchylevel }, 'Tarefa', 'Pedidos')
    const operators = { b1: { type: 'text', title: 'b1', top: 0, left: 0, properties: {} } }
    await admin.put(`/dialog/${dialog}/flow`, { format: 'parley-flow', version: 1, operators, links: {} })
    const reader = await parley.signIn('ines', PASSWORD)
    const say = (text: string) => admin.post('/dialogcomment', { dialog, block: 'b1', text })
    await say(`<@${hugo}> <@${ines}> palavra-secreta`)
    await say(`<@${hugo}> outra palavra`)
    // Ines reads hers in time.
    await vi.waitFor(async () => {
      const { items } = (await reader.get('/notification')).body
      expect(items.map(({ message }) => message)).toContain('comment.mentioned')
    }, WAIT)
    expect((await reader.post('/notification/read', { all: true })).status).toBe(204)
    const mail = await mailTo('hugo')
    expect(mail.headers.get('subject')).toBe('2 notificaciones le esperan')
    expect(mail.headers.get('list-unsubscribe')).toBe(`<${parley.origin}/botadmin/account/mail>`)
    expect(mail.text).toContain('Hola, Hugo <b>:')
    expect(mail.text).toContain(`${parley.origin}/botadmin/designer/dialog/${dialog}?comment=`)
    expect(mail.html).not.toContain('<b>')
    expect(`${mail.text} ${mail.html}`).not.toContain('palavra')
    expect(mailsTo('hugo')).toHaveLength(1)
    expect(mailsTo('ines')).toEqual([])
  })

  test('is not sent in kinds that a person turned off, and cannot be turned off for credentials [P-2772]', async () => {
    await user('nina')
    const nina = await parley.signIn('nina', PASSWORD)
    const kinds = ['mention', 'assignment', 'service', 'token', 'webhook', 'locked', 'report']
    expect((await nina.get('/user/mail')).body).toEqual({
      email: 'nina@aurora.example',
      kinds: kinds.map(kind => ({ kind, on: true })),
    })
    expect((await nina.post('/user/mail', { off: ['credentials'] })).status).toBe(422)
    expect((await nina.post('/user/mail', { off: ['locked'] })).status).toBe(204)
    expect((await nina.get('/user/mail')).body).toMatchObject({
      kinds: kinds.map(kind => ({ kind, on: kind !== 'locked' })),
    })
    const { id, revision } = (await admin.get('/user?search=nina')).body.items[0] as { id: string; revision: number }
    await admin.post(`/user/${id}/lock`, {})
    await admin.post(`/user/${id}/unlock`, {})
    const current = (await admin.get(`/user/${id}`)).body.revision ?? revision
    await admin.patch(`/user/${id}`, { email: 'nina.prado@aurora.example' }, current)
    await vi.waitFor(
      () => expect(subjectsTo('nina.prado')).toEqual(['Your e-mail address was changed to this one']),
      WAIT,
    )
    await vi.waitFor(
      () => expect(subjectsTo('nina')).toEqual(['The e-mail address of your account was changed or removed']),
      WAIT,
    )
  })

  test('about a new address goes to the one before as well [P-2740]', async () => {
    await user('oto')
    const { id } = (await admin.get('/user?search=oto')).body.items[0] as { id: string }
    const { revision } = (await admin.get(`/user/${id}`)).body
    await admin.patch(`/user/${id}`, { email: 'thief@aurora.example' }, revision)
    const before = 'The e-mail address of your account was changed or removed'
    await vi.waitFor(() => expect(subjectsTo('oto')).toEqual([before]), WAIT)
    const { revision: next } = (await admin.get(`/user/${id}`)).body
    await admin.patch(`/user/${id}`, { email: null }, next)
    await vi.waitFor(
      () => expect(subjectsTo('thief')).toEqual(['Your e-mail address was changed to this one', before]),
      WAIT,
    )
  })

  test('that a server refuses shows in the bell of its person [P-2773]', async () => {
    await user('olga')
    server.answers.push(550)
    await forgot('olga')
    const olga = await parley.signIn('olga', PASSWORD)
    await vi.waitFor(async () => {
      const { items } = (await olga.get('/notification')).body
      expect(items).toMatchObject([{ message: 'user.mailfailed', notificationType: 'warn' }])
    }, WAIT)
    expect(mailsTo('olga')).toEqual([])
    expect(server.answers).toEqual([])
    expect((await admin.get('/metrics')).text).toMatch(/^parley_mail_total\{outcome="bounced"\} 1$/m)
  })
})
