import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'

const { parley } = await openAdmin({ env: { INSTANCE_NAME: 'Loja "A"', THEME: 'theme3' } })

test('the console is at its base, and every page of it is the same file', async () => {
  expect((await parley.anyone.get('/botadmin')).headers.get('location')).toBe('/botadmin/')
  const root = await fetch(parley.origin, { redirect: 'manual' })
  expect([root.status, root.headers.get('location')]).toEqual([302, '/botadmin/'])
  const page = await parley.anyone.get('/botadmin/')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  expect((await parley.anyone.get('/botadmin/bot/search?x=1')).text).toBe(page.text)
  expect((await parley.anyone.get('/botadmin/designer/dialog/1')).text).toBe(page.text)
  expect((await parley.anyone.get('/botadmin/assets/none.js')).status).toBe(404)
  expect((await parley.anyone.get('/botadmin/api/none')).status).toBe(404)
})

test('serves built files as immutable, and compressed when accepted', async () => {
  const page = (await parley.anyone.get('/botadmin/')).text
  const asset = /\/botadmin\/assets\/[^"]+\.js/.exec(page)?.[0] ?? ''
  const answer = await parley.anyone.get(asset)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(answer.headers.get('vary')).toContain('accept-encoding')
})

test('no page may run what is written into it', async () => {
  const { headers, text } = await parley.anyone.get('/botadmin/')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>[^<]/)
})

test('returns name and theme to the page from a separate call', async () => {
  expect((await parley.anyone.get('/instance')).body).toMatchObject({ name: 'Loja "A"', theme: 'theme3' })
})

test('no path leads out of the built files', async () => {
  for (const path of [
    '/botadmin/../package.json',
    '/botadmin/%2e%2e/package.json',
    '/botadmin/..%2fpackage.json',
    '/botadmin/assets/..%2f..%2f..%2fpackage.json',
  ])
    expect(await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`), path).not.toContain(
      '"dependencies"',
    )
})

test('a short address that nobody made leads nowhere', async () => {
  expect((await parley.anyone.get('/botadmin/t/abc')).body).toMatchObject({ status: 404, code: 'entity.notfound' })
})

test('refuses invalid HTTP without side effects', async () => {
  expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
  expect(await raw(`GET /botadmin/ HTTP/1.1\r\nHost: x\r\nCookie: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 431/,
  )
  const token = `parley=${'x'.repeat(5000)}; parley=%E0%A4%A; =; ;;`
  expect(
    await raw(`GET /botadmin/api/auth/user HTTP/1.1\r\nHost: x\r\nCookie: ${token}\r\nConnection: close\r\n\r\n`),
  ).toMatch(/^HTTP\/1.1 401/)
  expect((await parley.anyone.get('/health/ready')).status).toBe(200)
})

const raw = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(parley.origin)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    setTimeout(() => socket.end(), 3000).unref()
  })
