import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'
import { eventFileOf } from './store-behind.ts'

const { parley, admin } = await openAdmin({ env: { SEAL_EVENTS: '20' } })
const id = (await admin.post('/codesample', { name: 'sealed' })).body.id
for (let revision = 1; revision < 30; revision++)
  await admin.patch(`/codesample/${id}`, { code: `${revision}` }, revision)

const chain = async (client = admin) =>
  (await client.get('/audit/chain')).body as unknown as Record<string, unknown> & { seal: { number: number } }

/** Has the log verified and waits for what is found. */
const verified = async () => {
  expect((await admin.post('/audit/chain/verify', {})).status).toBe(202)
  for (;;) {
    const state = await chain()
    if (state.running === null) return state
    await pause(50)
  }
}

test('seals the log as it grows, and reports each verification with time and user', async () => {
  expect(await chain()).toMatchObject({ verification: null, running: null, seal: { number: expect.any(Number) } })
  expect(await verified()).toMatchObject({
    key: expect.stringMatching(/^[\w-]{43}$/),
    seal: { events: expect.any(Number), time: expect.stringMatching(/Z$/) },
    verification: { amiss: 0, findings: [], user: { username: 'admin' }, time: expect.stringMatching(/Z$/) },
  })
})

test('exports the access review with the number of the last seal, on record [P-2891]', async () => {
  const sealNumber = async () => Number((await chain()).seal.number)
  const before = await sealNumber()
  const { headers, text } = await admin.get('/audit/access/export?kind=person')
  const after = await sealNumber()
  const [head = '', ...lines] = text.replace('\ufeff', '').trimEnd().split('\r\n')
  const columns = head.split(',')
  const [line] = lines.map(cells => cells.split(',')).filter(cells => cells[columns.indexOf('name')] === 'admin')
  const of = (name: string) => line?.[columns.indexOf(name)] ?? ''
  expect(of('seal_time')).toMatch(/Z$/)
  expect(Number(of('seal'))).toBeGreaterThanOrEqual(before)
  expect(Number(of('seal'))).toBeLessThanOrEqual(after)
  expect(headers.get('content-disposition')).toContain(`access-person-seal-${of('seal')}.csv`)
  expect(of('role')).toBe('Administrator')
  const recorded = async () => JSON.stringify((await admin.get('/audit?entity=audit&action=exported')).body.items[0])
  await expect.poll(recorded).toContain(`"after":${of('seal')}`)
})

test('names an event altered under a running gateway', async () => {
  const db = new DatabaseSync(eventFileOf(parley.folder), { timeout: 5000 })
  db.exec(`UPDATE event SET data = replace(data, '"7"', '"8"') WHERE stream = 'codesample-${id}' AND revision = 8`)
  db.close()
  expect(await verified()).toMatchObject({
    verification: { amiss: 1, findings: [{ kind: 'changed', stream: `codesample-${id}`, revision: 8 }] },
  })
})

test('returns 403 without the permission, and no findings outside the caller’s level', async () => {
  const root = (await admin.get('/userhierarchy')).body as unknown as { id: string }[]
  const level = (await admin.post('/hierarchy', { name: 'Branch', parent: root[0]?.id })).body.id
  const role = (await admin.post('/role', { name: 'Auditor', actions: ['readaudit'], services: [] })).body.id
  const group = (await admin.post('/usergroup', { name: 'Auditors', roles: [role] })).body.id
  const password = 'Parley-2026!'
  const person = (username: string, usergroup: string[]) =>
    admin.post('/user', { username, password, email: `${username}@example.com`, usergroup, hierarchylevel: level })
  await person('auditor', [group])
  await person('nobody', [])
  const auditor = await parley.signIn('auditor', password)
  expect(await chain(auditor)).toMatchObject({ verification: { amiss: 1, findings: [] } })
  const nobody = await parley.signIn('nobody', password)
  expect((await nobody.get('/audit/chain')).status).toBe(403)
  expect((await nobody.post('/audit/chain/verify', {})).status).toBe(403)
})
