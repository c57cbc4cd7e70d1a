import { afterAll, describe, expect, test } from 'vitest'
import { discard } from './harness.ts'
import { openParley } from './open-parley.ts'

let parley = await openParley()
let admin = await parley.signIn()
afterAll(() => discard(parley))

const TARGET = 'https://example.com/a/long?way=1#there'
const follow = (code: string, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(`${parley.origin}/botadmin/t/${code}`, { method, redirect: 'manual', headers })
const make = async (original_url = TARGET, name = 'Promo') => {
  const { id } = (await admin.post('/tinyurlmapping', { name, original_url })).body
  return (await admin.get(`/tinyurlmapping/${id}`)).body as unknown as Mapping
}
interface Mapping {
  readonly id: string
  readonly revision: number
  readonly shorturl: string
  readonly hits: number
}
const hitsOf = async (id: string) => (await admin.get(`/tinyurlmapping/${id}`)).body.hits

describe('a tiny URL', () => {
  test('is made by the server, each a different one [C-3.64]', async () => {
    const [one, other] = [await make(), await make()]
    expect(one).toMatchObject({ name: 'Promo', original_url: TARGET, hits: 0 })
    expect(one.shorturl).toMatch(/^[a-z2-9]{10}$/)
    expect(one.shorturl).not.toBe(other.shorturl)
    const refused = await admin.post('/tinyurlmapping', { name: 'x', original_url: TARGET, shorturl: 'mine' })
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toMatchObject([{ path: 'shorturl', code: 'readonly' }])
    const changed = await admin.patch(`/tinyurlmapping/${one.id}`, { hits: 5 }, one.revision)
    expect(changed.body.errors).toMatchObject([{ path: 'hits', code: 'readonly' }])
  })

  test('redirects to its original URL without a session [C-3.65]', async () => {
    const { id, shorturl, revision } = await make()
    const answer = await follow(shorturl)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, TARGET])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    await admin.patch(`/tinyurlmapping/${id}`, { original_url: 'https://example.org/' }, revision)
    expect((await follow(shorturl)).headers.get('location')).toBe('https://example.org/')
  })

  test('leads nowhere when it is unknown or removed, and again when it is brought back', async () => {
    const { id, shorturl } = await make()
    expect((await follow('aaaaaaaaaa')).status).toBe(404)
    await admin.delete(`/tinyurlmapping/${id}`)
    expect((await follow(shorturl)).status).toBe(404)
    await admin.post(`/tinyurlmapping/${id}/restore`, { revision: 1 })
    expect((await follow(shorturl)).status).toBe(302)
    const page = await follow('aaaaaaaaab', 'GET', { accept: 'text/html,*/*', 'accept-language': 'en' })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('This address leads nowhere')
  })

  test.each([
    ['javascript:alert(1)', 'url'],
    ['data:text/html,x', 'url'],
    ['file:///etc/passwd', 'url'],
    ['https://name:word@example.com/', 'credentials'],
    ['http://localhost:3000/', 'privatehost'],
    ['http://2130706433/', 'privatehost'],
    ['http://192.168.0.1/', 'privatehost'],
    ['http://[::1]/', 'privatehost'],
  ])('is not made for %s [P-202]', async (original_url, rule) => {
    const { status, body } = await admin.post(
      '/tinyurlmapping',
      { name: 'x', original_url },
      { 'accept-language': 'pt' },
    )
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ path: 'original_url', code: 'format', params: { rule } }])
    const { id, revision } = await make()
    expect((await admin.patch(`/tinyurlmapping/${id}`, { original_url }, revision)).status).toBe(422)
  })

  test('counts its visits without one event each, over a removal and a restart [P-201]', async () => {
    const { id, shorturl } = await make()
    for (let at = 0; at < 5; at += 1) await follow(shorturl)
    await follow(shorturl, 'HEAD')
    await expect.poll(() => hitsOf(id), { timeout: 15_000 }).toBe(5)
    const row = await admin.get(`/tinyurlmapping/${id}`)
    expect(row.body.revision).toBe(1)
    expect((await admin.get(`/tinyurlmapping/${id}/history`)).body.total).toBe(1)
    expect((await admin.get(`/tinyurlmapping/${id}`, { 'if-none-match': '"1"' })).status).toBe(200)
    await admin.delete(`/tinyurlmapping/${id}`)
    await admin.post(`/tinyurlmapping/${id}/restore`, { revision: 1 })
    expect(await hitsOf(id)).toBe(5)

    await follow(shorturl)
    await parley.stop()
    const { folder } = parley
    parley = await openParley({ folder })
    admin = await parley.signIn()
    expect(await hitsOf(id)).toBe(6)
  })

  test('can not be found by trying [P-202]', async () => {
    const { shorturl } = await make()
    const statuses = new Set<number>()
    for (let at = 0; at < 70; at += 1) statuses.add((await follow(`zz${at}`)).status)
    expect([...statuses]).toEqual([404, 429])
    const refused = await follow(shorturl)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
