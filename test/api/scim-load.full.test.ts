import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { processorTime } from '../bench/processor-time.ts'
import { type Client, discard, type ParleyProcess, startParley } from './harness.ts'
import { level } from './people.ts'
import { patchOf, scimAccount } from './scim-client.ts'

const USERS = Number(process.env.PARLEY_SCIM_USERS ?? 10_000)
const PER_SECOND = 25
/** More processor time of a request in the last quarter than in the first one. */
const MAX_GROWTH = 1.5
const MEMBERS = 1_000

let parley: ParleyProcess
let admin: Client
beforeAll(async () => {
  parley = await startParley({ env: { LIMIT_CALLS_SCIM: '3000' } })
  admin = await parley.signIn()
}, 120_000)
afterAll(() => discard(parley))

test('10,000 people are provisioned within 10 minutes at 25 a second, and fill a group [P-2629] [P-2792]', {
  timeout: 900_000,
}, async () => {
  const tenant = await level(admin, 'Grande')
  const { scim } = await scimAccount(parley, admin, { name: 'muitos', level: tenant })
  const began = performance.now()
  /** As a provider does: waits as long as an answer says, and sends it again. */
  const send = async (person: JsonObject): Promise<number> => {
    for (;;) {
      const { status, headers } = await scim('POST', '/Users', person)
      if (status !== 429) return status
      await pause(Number(headers.get('retry-after')) * 1000)
    }
  }
  const statuses: Promise<number>[] = []
  const worked: number[] = []
  for (let at = 0; at < USERS; at += 1) {
    if (at % (USERS / 4) === 0) worked.push(processorTime(parley.pid))
    await pause(Math.max(0, began + (at * 1000) / PER_SECOND - performance.now()))
    const [userName, externalId] = [`person${at}@login.example`, `id-${at}`]
    const emails = [{ value: userName, type: 'work', primary: true }]
    statuses.push(send({ userName, externalId, emails, name: { familyName: String(at) }, active: true }))
  }
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([201]))
  expect(performance.now() - began).toBeLessThan((USERS * 1000 * 1.5) / PER_SECOND)
  worked.push(processorTime(parley.pid))
  const [first = 0, second = 0, , fourth = 0, end = 0] = worked
  expect((end - fourth) / (second - first)).toBeLessThan(MAX_GROWTH)
  const last = await scim('GET', `/Users?startIndex=${USERS}&count=100`)
  expect(last.body).toMatchObject({ totalResults: USERS, itemsPerPage: 1 })
  const found = await scim('GET', `/Users?filter=${encodeURIComponent(`externalId eq "id-${USERS - 1}"`)}`)
  expect(found.body.Resources).toMatchObject([{ userName: `person${USERS - 1}@login.example` }])

  const group = await admin.create('usergroup', { hierarchylevel: tenant, name: 'Todos', identifiedby: 'all' })
  const ids: string[] = []
  for (let at = 0; at < MEMBERS; at += 100)
    ids.push(...((await scim('GET', `/Users?startIndex=${at + 1}&count=100`)).body.Resources ?? []).map(({ id }) => id))
  const members = async () => ((await scim('GET', `/Groups/${group}`)).body.members as JsonObject[]).length
  const value = ids.map(id => ({ value: id }))
  expect((await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'add', path: 'members', value }))).status).toBe(204)
  expect(await members()).toBe(MEMBERS)
  expect((await scim('PATCH', `/Groups/${group}`, patchOf({ op: 'remove', path: 'members' }))).status).toBe(204)
  expect(await members()).toBe(0)
})

test('a token of the root makes nobody where users of the root have every right [P-2628]', async () => {
  const open = await startParley({ env: { ALLOW_LEVEL1_DEFAULT_ACCESS: 'true' } })
  try {
    const chief = await open.signIn()
    const root = String((await chief.get('/userhierarchy')).body.hierarchylevel)
    const top = await scimAccount(open, chief, { name: 'root', level: root })
    expect((await top.scim('POST', '/Users', { userName: 'everything' })).status).toBe(403)
    const inner = await scimAccount(open, chief, { name: 'below', level: await level(chief, 'Below') })
    expect((await inner.scim('POST', '/Users', { userName: 'nothing yet' })).status).toBe(201)
  } finally {
    await open.close()
  }
})
