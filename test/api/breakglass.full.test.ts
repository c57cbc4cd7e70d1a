import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, expect, test } from 'vitest'
import { clientOf, failToStart, startParley } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-breakglass-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CODE_STEP_MS = 30_000

test('OIDC_ONLY needs an administrator for emergencies, and leaves the password form to them [P-2545]', async () => {
  const only = { OIDC_ONLY: 'true' }
  const parley = await startParley({ folder })
  const admin = await parley.signIn()
  const me = ((await admin.get('/auth/user')).body.user as { id: string }).id
  await admin.create('user', { username: 'ana', password: 'Segredo-2026!' })
  expect(await parley.end()).toBe(0)

  const failed = await failToStart({ ...only, PARLEY_DATA: folder })
  expect(failed.code).not.toBe(0)
  expect(failed.errors).toContain('OIDC_ONLY needs an administrator for emergencies')

  const again = await startParley({ folder })
  const client = await again.signIn()
  const { secret } = (await client.post('/user/register2fa', {})).body as unknown as { secret: string }
  const code = (ahead = 0) => generateSync({ secret, epoch: Math.floor((Date.now() + ahead) / 1000) })
  expect((await client.post('/user/verify2fa', { token: code() })).status).toBe(200)
  await client.patch(`/user/${me}`, { breakglass: true }, (await client.get(`/user/${me}`)).body.revision)
  expect(await again.end()).toBe(0)

  const last = await startParley({ folder, env: only })
  try {
    const signIn = (body: object) => last.anyone.post('/auth/login', body)
    expect(await signIn({ username: 'ana', password: 'Segredo-2026!' })).toMatchObject({
      status: 403,
      body: { code: 'auth.passwordoff' },
    })
    expect((await signIn({ username: 'ana', password: 'Errada-2026!' })).status).toBe(401)
    const given = { username: 'admin', password: 'Parley-2026!' }
    expect((await signIn(given)).body).toMatchObject({ twofactorenabled: true, token: {} })
    const signed = await signIn({ ...given, token: code(CODE_STEP_MS) })
    expect(signed.status).toBe(200)
    const { accessToken } = signed.body.token as { accessToken: string }
    const emergency = clientOf(last.origin, accessToken)
    expect((await emergency.get('/audit?action=breakglass')).body.total).toBe(1)
    const { items } = (await emergency.get('/notification')).body
    expect(items).toContainEqual(expect.objectContaining({ message: 'user.breakglass', notificationType: 'alert' }))
    expect((await last.anyone.get('/auth/oidc')).body).toMatchObject({ items: [], only: true })
  } finally {
    await last.end('SIGKILL')
  }
}, 300_000)
