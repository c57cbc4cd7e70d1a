import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { SoftwareAuthenticator } from '#test/doubles/software-authenticator.ts'
import { openLog } from '../log.ts'
import { readSettings } from '../settings.ts'
import { startGateway } from '../start-gateway.ts'

const ADMIN_PASSWORD = 'Parley-2026!'
const PASSWORD = 'Senha-forte-1'

afterAll(() => open.disposeAsync())

/** Starts a gateway with its own folder, until the stack is disposed of; returns its origin. */
const start = async (until: AsyncDisposableStack): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'people-api-'))
  until.defer(() => rm(folder, { recursive: true, force: true }))
  const env = { PORT: '0', PARLEY_DATA: folder, PARLEY_ADMIN_PASSWORD: ADMIN_PASSWORD, PARLEY_SAMPLE: 'off' }
  const gateway = await startGateway(readSettings({ ...env, LOG_LEVEL: 'silent' }), openLog('silent'))
  until.defer(() => gateway.close())
  return new URL(gateway.url).origin
}

interface Request {
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Record<string, string>
  /** Of the gateway that is asked. */
  readonly at?: string
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly cookie: string
  readonly headers: Headers
}

const send = async (
  method: string,
  path: string,
  { body, token, headers = {}, at = origin }: Request = {},
): Promise<Answer> => {
  const response = await fetch(`${at}/botadmin/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const cookie = response.headers.get('set-cookie') ?? ''
  return { status: response.status, body: text === '' ? {} : JSON.parse(text), cookie, headers: response.headers }
}

const login = (username: string, password: string) => send('POST', '/auth/login', { body: { username, password } })
const tokenOf = async (username = 'admin', password = ADMIN_PASSWORD): Promise<string> => {
  const { body } = await login(username, password)
  return String((body.token as { accessToken?: string }).accessToken)
}
const make = async (token: string, entity: string, body: object): Promise<string> => {
  const made = await send('POST', `/${entity}`, { token, body })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return String(made.body.id)
}

const open = new AsyncDisposableStack()
const origin = await start(open)

describe('POST /auth/login', () => {
  it('answers an access token and sets the same session as a cookie [C-7.07]', async () => {
    const body = { username: 'admin', password: ADMIN_PASSWORD, client_id: 'a', grant_type: 'password', scope: '*' }
    const answer = await send('POST', '/auth/login', { body })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ twofactorenabled: false, enabletwofactor: false })
    const { accessToken } = answer.body.token as { accessToken: string }
    expect(answer.cookie).toContain(`parley=${accessToken};`)
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/botadmin'])
      expect(answer.cookie).toContain(attribute)
    const [cookie = ''] = answer.cookie.split(';')
    expect((await send('GET', '/auth/user', { token: accessToken })).status).toBe(200)
    expect((await send('GET', '/auth/user', { headers: { cookie } })).status).toBe(200)
  })

  it('refuses what is no credential [C-8.10] [C-8.11]', async () => {
    expect(await login('nobody', 'x')).toMatchObject({
      status: 401,
      body: { code: 'auth.invalid', params: { attemptsRemaining: 4 } },
    })
    expect((await send('POST', '/auth/login', { body: { username: 'admin' } })).status).toBe(422)
    expect((await send('GET', '/auth/user', { token: 'x'.repeat(5000) })).status).toBe(401)
  })
})

describe('a change of passkeys', () => {
  it('needs a proof within 5 minutes, at each route [P-2686]', async () => {
    const token = await tokenOf()
    const authenticator = new SoftwareAuthenticator(origin.replace('127.0.0.1', 'localhost'))
    const { body: options } = await send('POST', '/user/passkey/options', { token })
    const body = { name: 'Chave', passkey: authenticator.create(options as never) }
    const codes = async () => {
      const answers = await Promise.all([
        send('POST', '/user/passkey/options', { token }),
        send('POST', '/user/passkey', { token, body }),
        send('DELETE', '/user/passkey/unknown', { token }),
      ])
      return answers.map(answer => `${answer.status} ${answer.body.code ?? ''}`)
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 })
    try {
      expect(await codes()).toEqual(['403 auth.confirm', '403 auth.confirm', '403 auth.confirm'])
    } finally {
      vi.useRealTimers()
    }
    expect(await codes()).toEqual(['200 ', '204 ', '404 entity.notfound'])
  })
})

describe('a session', () => {
  it('ends with POST /auth/logout; by cookie only from the console’s own pages [C-7.08]', async () => {
    const token = await tokenOf()
    const cookie = `parley=${token}`
    const logout = (headers: Record<string, string>) =>
      send('POST', '/auth/logout', { headers: { cookie, ...headers } })
    expect((await logout({})).status).toBe(403)
    expect((await logout({ origin: 'https://elsewhere.example' })).body).toMatchObject({ code: 'auth.origin' })
    const ended = await logout({ origin })
    expect(ended.status).toBe(204)
    expect(ended.cookie).toMatch(/parley=;/)
    expect((await send('GET', '/auth/user', { token })).status).toBe(401)
  })

  it('returns the user and their permissions [C-7.02] [C-7.03] [C-7.09]', async () => {
    const token = await tokenOf()
    const { user } = (await send('GET', '/auth/user', { token })).body as { user: Record<string, unknown> }
    expect(user).toMatchObject({ username: 'admin', language: 'pt', hierarchylevel: expect.any(String) })
    expect(user.permissions).toEqual(expect.arrayContaining(['readbot', 'updatedialog', 'showadmin', 'readaudit']))
    const details = (await send('GET', '/userdetails', { token })).body
    expect(details).toMatchObject({ name: 'Admin', hierarchylevel: user.hierarchylevel, permissions: user.permissions })
    expect(details.last_password_changed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    expect((await send('GET', '/userhierarchy', { token })).body).toEqual({ hierarchylevel: user.hierarchylevel })
  })

  it('works in another level of one’s own subtree after changing to it [C-1.09] [C-7.01] [C-7.05]', async () => {
    const token = await tokenOf()
    const north = await make(token, 'hierarchy', { name: 'Norte' })
    const south = await make(token, 'hierarchy', { name: 'Sul' })
    await make(token, 'user', { username: 'ana', password: PASSWORD, hierarchylevel: north })
    const ana = await tokenOf('ana', PASSWORD)
    expect((await send('GET', '/selectfromoriginallevel', { token: ana })).body).toEqual([
      { id: north, name: 'Norte', parent: expect.any(String) },
    ])
    expect((await send('POST', `/changehierarchylevel/${south}`, { token: ana })).status).toBe(404)
    expect((await send('POST', `/changehierarchylevel/${south}`, { token })).status).toBe(204)
    expect((await send('GET', '/userhierarchy', { token })).body).toEqual({ hierarchylevel: south })
  })

  it('ends at once when its user is locked, and loses a revoked right with the response', async () => {
    const admin = await tokenOf()
    const role = await make(admin, 'role', { name: 'Leitor', actions: ['readuser'] })
    const group = await make(admin, 'usergroup', { name: 'Leitores', roles: [role] })
    const id = await make(admin, 'user', { username: 'bia', password: PASSWORD, usergroup: [group] })
    const bia = await tokenOf('bia', PASSWORD)
    expect((await send('GET', '/user', { token: bia })).status).toBe(200)
    const change = { body: { actions: [] }, headers: { 'if-match': '"1"' }, token: admin }
    expect((await send('PATCH', `/role/${role}`, change)).status).toBe(200)
    expect((await send('GET', '/user', { token: bia })).status).toBe(403)
    expect((await send('POST', `/user/${id}/lock`, { token: admin, body: {} })).status).toBe(200)
    expect((await send('GET', '/auth/user', { token: bia })).status).toBe(401)
    await send('POST', `/user/${id}/unlock`, { token: admin, body: {} })
    expect((await send('GET', '/auth/user', { token: bia })).status).toBe(401)
  })
})

describe('POST /user/password', () => {
  it('changes an expired password without a session, and refuses what breaks the rules [C-8.14]', async () => {
    const admin = await tokenOf()
    const id = await make(admin, 'user', { username: 'cora', password: PASSWORD })
    const reset = await send('POST', `/user/${id}/resetpassword`, { token: admin, body: {} })
    const old = String(reset.body.password)
    expect(await login('cora', old)).toMatchObject({ status: 401, body: { code: 'auth.expired' } })
    const change = (body: object) => send('POST', '/user/password', { body: { username: 'cora', old, ...body } })
    expect(await change({ new: 'weak', confirm: 'weak' })).toMatchObject({
      status: 422,
      body: { code: 'user.password.rules' },
    })
    expect((await change({ new: 'Nova-senha-1', confirm: 'Nova-senha-1' })).status).toBe(204)
    expect((await login('cora', 'Nova-senha-1')).status).toBe(200)
  })
})

describe('POST /user/register2fa', () => {
  it('answers a secret and its picture, and its confirmation wants a right code [C-7.10]', async () => {
    const admin = await tokenOf()
    await make(admin, 'user', { username: 'davi', password: PASSWORD, enabletwofactor: true })
    const claim = { username: 'davi', password: PASSWORD }
    expect((await send('POST', '/auth/login', { body: claim })).body).toEqual({
      token: {},
      twofactorenabled: false,
      enabletwofactor: true,
    })
    const begun = (await send('POST', '/user/register2fa', { body: claim })).body
    expect(begun).toMatchObject({ otpauth: expect.stringMatching(/^otpauth:/), secret: expect.any(String) })
    expect(begun.qr).toMatch(/^data:image\/png;base64,/)
    const wrong = await send('POST', '/user/verify2fa', { body: { ...claim, token: 'abcdef' } })
    expect(wrong).toMatchObject({ status: 401, body: { code: 'auth.twofactor' } })
    expect((await send('POST', '/user/register2fa', { body: {} })).status).toBe(401)
  })
})

describe('too many failures from one address', () => {
  it('are refused for a while with Retry-After, for any user', async () => {
    // After that nobody signs in from here for a while.
    await using until = new AsyncDisposableStack()
    const at = await start(until)
    // A client's forwarded address counts only behind a trusted proxy.
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        send('POST', '/auth/login', {
          body: { username: `guess${n}`, password: 'x' },
          headers: { 'x-forwarded-for': `203.0.113.${n}` },
          at,
        }),
      ),
    )
    expect(answers.some(({ status }) => status === 429)).toBe(true)
    const refused = await send('POST', '/auth/login', { body: { username: 'admin', password: ADMIN_PASSWORD }, at })
    expect(refused).toMatchObject({ status: 429, body: { code: 'request.toomany' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
