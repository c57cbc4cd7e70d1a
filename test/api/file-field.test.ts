import { afterAll, describe, expect, test, vi } from 'vitest'
import { ADMIN_PASSWORD } from './harness.ts'
import { openSpecimenGateway } from './specimen-gateway.ts'

vi.mock('#schemas/entities/registry.ts', async load =>
  (await import('#test/declaration/specimen.ts')).registryWithSpecimen(load),
)

const gateway = await openSpecimenGateway()
afterAll(() => gateway.close())

const upload = async (content: string, name: string, headers: Record<string, string> = {}) => {
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(content, letter => letter.charCodeAt(0))]), name)
  return gateway.admin.send('POST', '/file', { body: form, headers })
}
const uploaded = async (content: string, name: string) => {
  const answer = await upload(content, name)
  expect(answer.status).toBe(201)
  return { ...answer.body }
}
const PNG = '\u0089PNG\r\n\u001a\n'

describe('a file in a field', () => {
  test('is stored once when an upload is repeated with its idempotency key', async () => {
    const send = (content: string) => upload(content, 'a.txt', { 'idempotency-key': 'one' })
    const first = await send('a')
    expect(first.status).toBe(201)
    expect((await send('a')).body).toEqual(first.body)
    expect((await send('b')).body.code).toBe('request.idempotency')
  })

  test('must be an upload of the caller that fits; readers of the thing read it [P-122]', async () => {
    await gateway.admin.post('/role', { name: 'specimens', actions: ['readspecimen', 'createspecimen'] })
    const role = (await gateway.admin.get('/role?search=specimens')).body.items[0]?.id
    const group = (await gateway.admin.post('/usergroup', { name: 'specimens', roles: [role] })).body.id
    const empty = (await gateway.admin.post('/usergroup', { name: 'nothing', roles: [] })).body.id
    for (const [username, usergroup] of [
      ['reader', [group]],
      ['nobody', [empty]],
    ] as const) {
      const user = { username, firstname: 'A', lastname: 'B', email: `${username}@example.com`, usergroup }
      const { status, text } = await gateway.admin.post('/user', { ...user, password: ADMIN_PASSWORD })
      if (status !== 201) throw new Error(text)
    }
    const reader = await gateway.signIn('reader')
    const nobody = await gateway.signIn('nobody')

    const contract = await uploaded('the contract', 'contract.txt')
    expect((await reader.get(`/file/${contract.id}`)).status).toBe(404)
    expect((await reader.post('/specimen', { name: 'theft', contract })).body.errors).toMatchObject([
      { path: 'contract', code: 'reference' },
    ])
    const large = await uploaded('x'.repeat(101), 'large.txt')
    expect(await gateway.errorsOf({ contract: { ...large, size: 5 } })).toMatchObject([{ path: 'contract.size' }])
    expect(await gateway.errorsOf({ contract: { ...contract, id: 'a'.repeat(64) } })).toMatchObject([
      { code: 'reference' },
    ])

    const icon = await uploaded(PNG, 'icon.png')
    const id = await gateway.create({ contract: { ...contract, name: 'renamed.txt' }, headers: [{ name: 'a', icon }] })
    expect(await gateway.rowOf(id)).toMatchObject({ contract, headers: [{ icon }] })
    for (const file of [contract.id, icon.id]) {
      expect((await reader.get(`/file/${file}`)).status).toBe(200)
      expect((await nobody.get(`/file/${file}`)).status).toBe(404)
    }

    await gateway.admin.patch(`/specimen/${id}`, { contract: null }, 1)
    await gateway.admin.delete(`/specimen/${id}`)
    expect((await reader.get(`/file/${contract.id}`)).text).toBe('the contract')
    await gateway.admin.post(`/specimen/${id}/restore`, { revision: 1 })
    expect(await gateway.rowOf(id)).toMatchObject({ contract })
  })
})
