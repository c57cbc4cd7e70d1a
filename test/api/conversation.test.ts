import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { BotMetrics } from '#schemas/api/bot-metrics.ts'
import type { DropoffBlock, ReplayTurn } from '#schemas/api/conversation.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { noonZone } from '#test/fixture/noon-zone.ts'
import { makeFlowBot, NAME_AND_AGE } from './chat-bot.ts'
import { type Client, discard, type Parley } from './harness.ts'
import { openChat } from './open-chat.ts'
import { openParley } from './open-parley.ts'
import { level, person } from './people.ts'

/** Of the bot: its day does not end during this file. */
const ZONE = noonZone(Date.now())

let parley: Parley
let admin: Client
let clerk: Client
let outsider: Client
let bot: string
let dialog: string
let channel: string
beforeAll(async () => {
  parley = await openParley()
  admin = await parley.signIn()
  const north = await level(admin, 'Norte')
  const south = await level(admin, 'Sul')
  ;({ bot, dialog, channel } = await makeFlowBot(
    admin,
    { name: 'Bia', hierarchylevel: north, timezone: ZONE },
    NAME_AND_AGE,
  ))
  const actions = ['readbot', 'readdialog', 'readdialogtask']
  clerk = (await person(parley, admin, { username: 'rui', level: north, actions })).client
  outsider = (await person(parley, admin, { username: 'eva', level: south, actions })).client
})
afterAll(() => discard(parley))

const talk = (...words: readonly string[]) => openChat(parley.origin, channel, words)

const list = async (client: Client, query = '') => {
  const { status, body } = await client.get(`/conversation?bot=${bot}${query}`)
  expect(status).toBe(200)
  return body as unknown as AnswerOf<'GET /conversation'>
}
const blocksOf = async (client: Client, query = '') => {
  const { status, body } = await client.get(`/dialog/${dialog}/dropoff${query}`)
  expect(status).toBe(200)
  const { blocks } = body as unknown as { blocks: DropoffBlock[] }
  return Object.fromEntries(blocks.map(({ block, ...counts }) => [block, counts]))
}

test('conversations are listed with filters, to who may read their bot alone [R-91]', async () => {
  const first = await talk('Ana', '30')
  const second = await talk('Bia')
  await vi.waitFor(async () => expect((await list(admin)).total).toBe(2))
  const { items } = await list(clerk)
  expect(items.map(({ id }) => id)).toEqual([second, first])
  expect(items[0]).toMatchObject({ bot, channel, channeltype: 'webchat', status: 'waiting', turns: 2, release: 1 })
  expect(items[1]).toMatchObject({ status: 'idle', turns: 3, ended: null, retained: false })
  expect(JSON.stringify(items)).not.toMatch(/Ana|Bia/u)
  expect((await list(clerk, '&status=waiting')).items.map(({ id }) => id)).toEqual([second])
  expect((await list(admin, '&channel=webchat')).total).toBe(2)
  expect((await list(clerk, '&channel=rest')).total).toBe(0)
  expect((await list(clerk, '&retained=true')).total).toBe(0)
  expect((await list(clerk, '&from=2020-01-01&to=2020-01-02')).total).toBe(0)
  expect((await list(clerk, '&size=1&page=2')).items.map(({ id }) => id)).toEqual([first])
  const standing = { bot: 2, agent: 0, ended: 0, gaveup: 0 }
  expect(await list(admin, '&standing=gaveup')).toMatchObject({ total: 0, counts: standing })
  expect((await list(admin, '&standing=bot')).total).toBe(2)
  const { person: talking = '' } = items[0] ?? {}
  expect((await list(clerk, `&person=${talking}`)).items.map(({ id }) => id)).toEqual([second])
  expect((await list(clerk, `&search=${talking.slice(0, 13).toUpperCase()}`)).items.map(({ id }) => id)).toEqual([
    second,
  ])
  expect((await list(clerk, `&search=${first.slice(0, 13)}`)).items.map(({ id }) => id)).toEqual([first])
  expect((await list(clerk, '&search=%25')).total).toBe(0)
  expect((await list(admin)).items.map(({ said }) => said?.text)).toEqual(['Sua idade?', 'Até logo, Ana'])
  expect(items.map(({ name, said }) => [name, said])).toEqual([
    [null, null],
    [null, null],
  ])
  expect((await clerk.get('/conversation?status=gone')).status).toBe(422)
  expect((await list(outsider)).total).toBe(0)
  expect((await outsider.get('/conversation')).body.total).toBe(0)
  for (const path of ['', '/path', '/replay']) {
    expect((await outsider.get(`/conversation/${first}${path}`)).status).toBe(404)
    expect((await admin.get(`/conversation/nowhere${path}`)).status).toBe(404)
  }
})

test('the overview of a bot counts the conversations of its web chat by day, and hides few of them [P-2818]', async () => {
  const webchatOf = async (client: Client) => {
    const { body } = await client.get(`/bot/${bot}/overview`)
    const { webchat } = body as unknown as AnswerOf<'GET /bot/{id}/overview'>
    if (webchat === undefined) throw new Error('no web chat in the overview')
    return webchat
  }
  const sumOf = async () => (await webchatOf(admin)).days.reduce((sum, { started }) => sum + (started ?? 0), 0)
  await vi.waitFor(async () => expect(await sumOf()).toBe(2))
  const { first, days } = await webchatOf(admin)
  expect(days).toHaveLength(14)
  expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted())
  expect(days.find(({ started }) => started !== 0)?.day).toBe(first)
  expect(days.slice(0, 12).every(({ started }) => started === 0)).toBe(true)
  const few = await webchatOf(clerk)
  expect(few.first).toBe(first)
  expect(few.days.map(({ started }) => started)).toEqual(days.map(({ started }) => (started === 0 ? 0 : null)))
})

test('shows transcripts to callers with the permission, and replays and paths to others without texts [R-91] [P-2942]', async () => {
  const id = await talk('Carla', 'trinta', '30')
  await vi.waitFor(async () => expect((await admin.get(`/conversation/${id}`)).body).toMatchObject({ turns: 4 }))
  expect((await admin.get(`/conversation/${id}`)).body).toMatchObject({ user: { name: 'Ana' } })
  expect((await clerk.get(`/conversation/${id}`)).body).toMatchObject({ user: null })
  expect((await clerk.get(`/conversation/${id}/transcript`)).status).toBe(403)
  const transcript = (await admin.get(`/conversation/${id}/transcript`)).body as unknown as {
    messages: { from: string; text: string }[]
  }
  expect(transcript.messages.map(({ from, text }) => `${from}: ${text}`)).toEqual([
    'bot: Seu nome?',
    'user: Carla',
    'bot: Sua idade?',
    'user: trinta',
    expect.stringMatching(/^bot: /u),
    'bot: Sua idade?',
    'user: 30',
    'bot: Até logo, Carla',
  ])
  expect((await admin.get(`/conversation/${id}/transcript?format=text`)).text).toContain('user: Carla\n')

  const replay = (await admin.get(`/conversation/${id}/replay`)).body as unknown as {
    release: number
    flows: unknown
    words: boolean
    turns: ReplayTurn[]
  }
  expect(replay).toMatchObject({
    release: 1,
    words: true,
    flows: [{ dialog, name: 'Nome', revision: expect.any(Number) }],
  })
  const walked = replay.turns.map(({ steps }) => steps.map(({ block, out }) => `${block} ${out ?? 'waits'}`))
  expect(walked).toEqual([
    ['start output_1', 'name waits'],
    ['name output_1', 'age waits'],
    ['age waits'],
    ['age output_1', 'bye output_1'],
  ])
  expect(replay.turns.map(({ wrote }) => wrote)).toEqual([{}, { nome: 'Carla' }, {}, { idade: 30 }])
  expect(replay.turns.map(({ kept }) => kept)).toEqual([
    [],
    [{ name: 'nome', scope: 'conversation', kind: 'text', masked: false }],
    [],
    [{ name: 'idade', scope: 'conversation', kind: 'number', masked: false }],
  ])
  expect(replay.turns[1]).toMatchObject({
    input: { kind: 'message', said: { text: 'Carla' } },
    said: [{ block: 'age', text: 'Sua idade?' }],
    status: 'waiting',
    wait: { block: 'age', kind: 'number' },
  })
  const path = await clerk.get(`/conversation/${id}/path`)
  expect(path.body).toEqual({
    conversation: id,
    status: 'idle',
    at: null,
    steps: replay.turns.flatMap(({ turn, steps }) =>
      steps.map(({ frame, block, out }) => ({ turn, frame, dialog, block, out })),
    ),
  })
  const [asked] = (await list(clerk, '&status=waiting')).items
  expect((await clerk.get(`/conversation/${asked?.id}/path`)).body).toMatchObject({
    status: 'waiting',
    at: { dialog, block: 'age' },
    steps: { length: 4 },
  })
  const blind = await clerk.get(`/conversation/${id}/replay`)
  expect(blind.text).not.toMatch(/Carla|Seu nome/u)
  expect(blind.body).toMatchObject({ words: false, turns: { length: 4 } })
  expect((blind.body as unknown as { turns: ReplayTurn[] }).turns[1]).toMatchObject({
    input: { kind: 'message', said: null },
    steps: [{ block: 'name', out: 'output_1', wrote: ['nome'] }, { block: 'age' }],
    said: [{ block: 'age', text: null }],
    wrote: {},
    kept: [{ name: 'nome', scope: 'conversation', kind: 'text', masked: false }],
  })
})

test('counts blocks by visitor behavior; hides small counts from callers who cannot read conversations [R-92] [R-93]', async () => {
  const before = await blocksOf(admin)
  const again = await talk('Dora', 'x', '40')
  await vi.waitFor(async () => expect((await admin.get(`/conversation/${again}`)).body).toMatchObject({ turns: 4 }))
  const after = await blocksOf(admin)
  const grown = (block: string, what: keyof DropoffBlock) =>
    Number(after[block]?.[what as never] ?? 0) - Number(before[block]?.[what as never] ?? 0)
  expect([
    grown('name', 'entered'),
    grown('name', 'answered'),
    grown('age', 'retried'),
    grown('bye', 'entered'),
  ]).toEqual([1, 1, 1, 1])
  for (const counts of Object.values(after)) {
    const left = Object.values(counts.out).reduce<number>((sum, n) => sum + Number(n), 0)
    expect(counts.entered).toBe(left + Number(counts.waiting) + Number(counts.lost) + Number(counts.abandoned))
  }
  expect(after.age?.p50).toBeGreaterThanOrEqual(0)
  expect((await blocksOf(admin, '?channel=rest')).name).toBeUndefined()
  expect((await blocksOf(admin, '?from=2020-01-01&to=2020-01-31')).name).toBeUndefined()
  expect((await blocksOf(admin, '?revision=999')).name).toBeUndefined()
  const few = await blocksOf(clerk)
  expect(few.name).toMatchObject({ entered: null, p50: null, lost: 0 })
  for (const name of ['E', 'F', 'G', 'H', 'I']) await talk(name)
  await vi.waitFor(async () => expect((await blocksOf(clerk)).name?.entered).toBeGreaterThanOrEqual(5))
  expect((await outsider.get(`/dialog/${dialog}/dropoff`)).status).toBe(404)
  const ofBot = await admin.get(`/bot/${bot}/dropoff?dialog=${dialog}&channel=webchat`)
  expect(ofBot.body).toEqual((await admin.get(`/dialog/${dialog}/dropoff?channel=webchat`)).body)
  expect(ofBot.body).toMatchObject({ bot, dialog, revisions: [{ since: expect.any(String) }] })
  expect((await admin.get(`/bot/${bot}/dropoff`)).status).toBe(422)
  expect((await admin.get(`/bot/nowhere/dropoff?dialog=${dialog}`)).status).toBe(404)
  expect((await outsider.get(`/bot/${bot}/dropoff?dialog=${dialog}`)).status).toBe(404)
})

test('an administrator forgets the person of a conversation, and the audit says so without a word of it [R-83] [R-84]', async () => {
  const id = await talk('Dora', '40')
  await vi.waitFor(async () => expect((await admin.get(`/conversation/${id}`)).body).toMatchObject({ turns: 3 }))
  expect((await clerk.post(`/conversation/${id}/forget`, { confirm: 'CONFIRM' })).status).toBe(403)
  expect((await admin.post(`/conversation/${id}/forget`, {})).status).toBe(422)
  const before = (await list(admin)).total
  expect((await admin.post(`/conversation/${id}/forget`, { confirm: 'CONFIRM' })).body).toEqual({ forgotten: true })
  const replay = await admin.get(`/conversation/${id}/replay`)
  expect(replay.text).not.toMatch(/Dora|Seu nome/u)
  expect((await admin.get(`/conversation/${id}`)).body).toMatchObject({ user: null, status: 'ended' })
  expect((await list(admin)).total).toBe(before)
  const audit = await admin.get('/audit?entity=conversation&size=100')
  expect(audit.body.items.filter(({ action }) => action === 'forgotten')).toMatchObject([
    { entity: 'conversation', entityid: id, action: 'forgotten' },
  ])
  expect(audit.text).not.toContain('Dora')
})

test('conversations that a filter leaves are a file without words, of the bots that one may see [R-91] [P-1059]', async () => {
  await talk('Ana')
  const { total } = await list(admin, '&channel=webchat')
  const csv = await admin.get(`/conversation/export?bot=${bot}&channel=webchat`)
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const [head, ...lines] = csv.text.trim().split('\r\n')
  expect(head).toContain('id,bot,channel,channeltype,person,status,reason,release,started,last,ended,turns,retained')
  expect(lines).toHaveLength(Number(total))
  expect(lines.every(line => line.split(',')[1] === bot)).toBe(true)
  expect(csv.text).not.toContain('Ana')
  expect((await admin.get(`/conversation/export?bot=${bot}&channel=rest`)).text.trim().split('\r\n')).toHaveLength(1)
  expect((await outsider.get(`/conversation/export?bot=${bot}`)).text.trim().split('\r\n')).toHaveLength(1)
})

test('conversations are found by the block that they wait at, or that their person left at [R-92] [P-1060]', async () => {
  const waiting = await talk('Ana')
  const done = await talk('Bia', '30')
  const found = async (at: string) => (await list(admin, `&at=${at}&size=100`)).items.map(({ id }) => id)
  await vi.waitFor(async () => expect(await found('age')).toContain(waiting))
  expect(await found('age')).not.toContain(done)
  expect(await found('nowhere')).toEqual([])
})

test('reading or exporting words leaves one line for each conversation, and the conversation lists its readers [P-1800] [P-1801]', async () => {
  const actions = ['readbot', 'readconversation', 'readaudit', 'readuser']
  const { hierarchylevel } = (await admin.get(`/bot/${bot}`)).body as unknown as { hierarchylevel: string }
  const reader = (await person(parley, admin, { username: 'lia', level: hierarchylevel, actions })).client
  const id = await talk('Segredo-da-Rosa')
  await vi.waitFor(async () => expect((await clerk.get(`/conversation/${id}`)).body).toMatchObject({ turns: 2 }))
  const since = new Date().toISOString()
  const lines = async () => {
    const { items } = (await reader.get(`/audit?entity=conversation&from=${since}`)).body
    return items.map(item => [(item.user as { username: string }).username, item.action, item.entityid])
  }
  await clerk.get(`/conversation/${id}/replay`)
  await list(clerk)
  expect(await lines()).toEqual([])

  for (const path of ['', '/replay', '', '/transcript', '/replay']) await reader.get(`/conversation/${id}${path}`)
  await expect.poll(lines).toEqual([['lia', 'opened', id]])
  await reader.get(`/conversation/${id}/transcript?format=text`)
  await reader.get(`/conversation/export?bot=${bot}`)
  await list(reader)
  await list(reader, '&page=2')
  await list(reader)
  await admin.get(`/conversation/${id}`)
  await expect.poll(lines).toEqual([
    ['admin', 'opened', id],
    ['lia', 'listed', ''],
    ['lia', 'exported', ''],
    ['lia', 'exported', id],
    ['lia', 'opened', id],
  ])

  const readers = (await reader.get(`/conversation/${id}/readers`)).body
  expect(readers.items).toMatchObject([
    { user: { username: 'admin' }, action: 'opened', conversation: id },
    { user: { username: 'lia' }, action: 'exported', conversation: id },
    { user: { username: 'lia' }, action: 'opened', conversation: id, origin: { address: '127.0.0.1' } },
  ])
  expect((await clerk.get(`/conversation/${id}/readers`)).status).toBe(403)
  expect((await outsider.get(`/conversation/${id}/readers`)).status).toBe(403)

  // The lines hold no words, and stay when the person is forgotten.
  await admin.post(`/conversation/${id}/forget`, { confirm: 'CONFIRM' })
  const kept = await admin.get(`/audit?entity=conversation&entityid=${id}`)
  expect(kept.body.items.map(({ action }) => action)).toEqual(['forgotten', 'opened', 'exported', 'opened'])
  expect(kept.text).not.toContain('Rosa')
  // Nothing is left to read, and nothing is recorded as read.
  for (const path of ['', '/replay', '/transcript?format=text']) await admin.get(`/conversation/${id}${path}`)
  expect((await admin.get(`/conversation/${id}/readers`)).body.items).toHaveLength(3)
})

test('an export of a bot outside the caller’s levels is empty and leaves no line in the audit [P-2020]', async () => {
  const { hierarchylevel } = (await admin.get(`/bot/${bot}`)).body as unknown as { hierarchylevel: string }
  const actions = ['readbot', 'readaudit', 'readuser']
  const home = await level(admin, 'Vizinho', hierarchylevel)
  const neighbour = (await person(parley, admin, { username: 'noe', level: home, actions })).client
  for (const id of [bot, '00000000-1111-4222-8333-444444444444']) {
    expect((await neighbour.get(`/conversation/export?bot=${id}`)).text.trim().split('\r\n')).toHaveLength(1)
  }
  await neighbour.get('/conversation/export')
  const exports = async (client: Client) => {
    const { items } = (await client.get('/audit?entity=conversation&action=exported&user=noe')).body
    return items.map(({ changes }) => changes)
  }
  for (const client of [neighbour, admin])
    await expect.poll(() => exports(client)).toEqual([[{ path: 'bot', before: null, after: null }]])
})

test('a replay has the variables of a dialog that ended in the turn, and drops them in the next one [R-91] [P-1822]', async () => {
  const { id: variable } = (await admin.post('/variable', { name: 'idade', bot, scope: 'dialog', dialog })).body
  const id = await talk('Rita', '61', 'oi')
  await vi.waitFor(async () => expect((await admin.get(`/conversation/${id}`)).body.turns).toBeGreaterThanOrEqual(4))
  const { turns } = (await admin.get(`/conversation/${id}/replay`)).body as unknown as { turns: ReplayTurn[] }
  expect(turns[2]).toMatchObject({
    status: 'idle',
    wrote: { idade: '61' },
    kept: [{ name: 'idade', scope: 'dialog', kind: 'number', masked: false }],
    dropped: [],
  })
  expect(turns[3]?.dropped).toContain('idade')
  const blind = (await clerk.get(`/conversation/${id}/replay`)).body as unknown as { turns: ReplayTurn[] }
  expect(blind.turns[2]).toMatchObject({ wrote: {}, kept: [{ name: 'idade', scope: 'dialog' }] })
  await admin.delete(`/variable/${String(variable)}`)
})

test('each figure of a bot has the list of its conversations, and callers see those of their bots [P-2876] [P-2877] [P-2886]', async () => {
  const figures = async (client: Client, query = '') => {
    const { status, text, body } = await client.get(`/bot/${bot}/metrics?${query}`)
    expect(status, text).toBe(200)
    return body as unknown as BotMetrics
  }
  const left = await talk('Eva')
  await vi.waitFor(async () => expect((await admin.get(`/conversation/${left}`)).body).toMatchObject({ turns: 2 }))
  const { open: before, closed } = (await figures(admin)).total
  expect((await admin.post(`/conversation/${left}/forget`, { confirm: 'CONFIRM' })).status).toBe(200)
  await vi.waitFor(async () => expect((await figures(admin)).total.closed).toBe(Number(closed) + 1))
  const { from, to, total, ...more } = await figures(admin)
  expect(total.open).toBe(Number(before) - 1)
  expect(total.started).toBe((await list(admin)).total)
  const { outcomes } = total
  expect(Object.values(outcomes).reduce((sum, n) => Number(sum) + Number(n), 0)).toBe(total.closed)
  expect(outcomes.gaveup).toBeGreaterThan(0)
  expect(total.understanding.texts).toBeGreaterThan(total.closed ?? 0)
  expect(total.answer).toMatchObject({ count: expect.any(Number), p50: expect.any(Number), p95: expect.any(Number) })
  const numbers: Readonly<Record<string, number | null>> = {
    started: total.started,
    engaged: total.engaged,
    open: total.open,
    closed: total.closed,
    contained: total.contained,
    active: total.active,
    'handoff.menu': total.handoff.menu,
    ...outcomes,
  }
  const listed = async (measure: string, filter = '') =>
    (await list(admin, `&measure=${measure}&firstday=${from}&lastday=${to}${filter}`)).total
  for (const [measure, n] of Object.entries(numbers)) expect([measure, await listed(measure)]).toEqual([measure, n])
  expect(await listed('started', '&release=1')).toBe(total.started)
  expect(await listed('started', '&release=2')).toBe(0)
  expect(await listed('started', '&origin=campaign')).toBe(0)
  expect((await list(admin, `&measure=started&firstday=2020-01-01&lastday=2020-01-02`)).total).toBe(0)
  expect(more).toMatchObject({
    bot,
    by: 'day',
    timezone: ZONE,
    definitions: 1,
    removed: 0,
    otherdays: [],
  })
  expect(more.rows).toMatchObject([{ key: to, conversations: { started: total.started, closed: total.closed } }])
  expect(more.hours.reduce((sum, n) => Number(sum) + Number(n), 0)).toBe(total.started)
  expect(more.dropoff[0]).toMatchObject({ dialog, name: 'Cadastro', block: 'age' })

  const tasks = (await figures(admin, 'by=task')).rows
  expect(tasks).toMatchObject([{ key: dialog, name: 'Cadastro', dialog: { entered: total.started, completed: 0 } }])
  expect(await listed(`dialog.entered:${dialog}`)).toBe(total.started)
  const releases = await figures(admin, 'by=release&release=1&compare=2')
  expect(releases.rows).toMatchObject([{ key: '1', conversations: { started: total.started } }])
  expect(releases.compared).toMatchObject({ started: 0, closed: 0, answer: { p50: null } })
  expect((await figures(admin, 'by=channel')).rows.map(({ key }) => key)).toEqual(['webchat'])
  expect((await figures(admin, 'by=queue')).rows).toEqual([])
  expect((await figures(admin, 'from=2020-01-01&to=2020-01-31')).total).toMatchObject({ started: 0, people: 0 })

  const { live } = (await admin.get(`/bot/${bot}/overview`)).body as unknown as AnswerOf<'GET /bot/{id}/overview'>
  const standing = async (of: string) => (await list(admin, `&standing=${of}`)).total
  expect(live).toEqual({
    ...{ id: bot, name: expect.any(String), day: to, talking: await standing('bot'), agents: 0, waiting: 0 },
    ...{ started: total.started, closed: total.closed, contained: total.contained },
    ...{ texts: total.understanding.texts, unrecognized: total.understanding.unrecognized },
  })
  expect(live?.talking).toBe(total.open)
  const home = async (client: Client) => (await client.get('/home')).body as unknown as AnswerOf<'GET /home'>
  expect((await home(admin)).live).toEqual({ items: [live], more: 0 })
  const started = 5 * Math.round((total.started ?? 0) / 5)
  expect((await home(clerk)).live?.items).toMatchObject([{ id: bot, started, waiting: 0 }])
  expect((await home(outsider)).live?.items ?? []).toEqual([])

  const few = await figures(clerk)
  expect(few.total).toMatchObject({ started, outcomes: { gaveup: null, agent: 0 } })
  expect((await outsider.get(`/bot/${bot}/metrics`)).status).toBe(404)
  expect((await outsider.get(`/bot/${bot}/metrics/export`)).status).toBe(404)
  const csv = await admin.get(`/bot/${bot}/metrics/export`)
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const [head = '', row = ''] = csv.text.trim().split('\r\n')
  const cells = Object.fromEntries(head.split(',').map((name, place) => [name, row.split(',')[place]]))
  expect(cells).toMatchObject({
    day: to,
    started: String(total.started),
    gaveup: String(outcomes.gaveup),
    nps_rated: '0',
  })
})

test('a trial in the console is in no figure, and in the list by its origin [P-2830]', async () => {
  const read = async <T>(path: string) => (await admin.get(path)).body as unknown as T
  const countsOf = async () => {
    const { total, rows, dropoff, hours } = await read<BotMetrics>(`/bot/${bot}/metrics`)
    const { live, talked } = await read<AnswerOf<'GET /bot/{id}/overview'>>(`/bot/${bot}/overview`)
    expect(talked).toBe(true)
    const home = await read<AnswerOf<'GET /home'>>('/home')
    return { total, rows, dropoff, hours, live, home: home.live, blocks: await blocksOf(admin) }
  }
  const before = await countsOf()
  const all = (await list(admin)).total
  const tried = await openChat(parley.origin, channel, ['Ana', 'abc', '30'], { trial: true })
  await vi.waitFor(async () => expect((await list(admin)).total).toBe(Number(all) + 1))
  await vi.waitFor(async () => expect((await admin.get(`/conversation/${tried}`)).body).toMatchObject({ turns: 4 }))
  const query = '/metrics?origin=trial'
  await vi.waitFor(async () =>
    expect((await read<BotMetrics>(`/bot/${bot}${query}`)).total).toMatchObject({
      ...{ started: 1, engaged: 1, people: 1, active: 1, understanding: { texts: 3 } },
    }),
  )
  expect(await countsOf()).toEqual(before)
  expect((await list(admin, '&origin=trial')).items).toMatchObject([{ id: tried, origin: 'trial' }])
  const open = await openChat(parley.origin, channel, ['Bia'], { trial: true })
  await vi.waitFor(async () => expect((await list(admin, '&origin=trial')).total).toBe(2))
  expect((await admin.get(`/conversation/${open}`)).body).toMatchObject({ status: 'waiting' })
  expect((await countsOf()).live).toEqual(before.live)
})

test('shows a conversation for an hour to who asked to see it, on its page and in its replay [P-2930]', async () => {
  const id = await talk('Dora', '41')
  await vi.waitFor(async () => expect((await admin.get(`/conversation/${id}`)).body).toMatchObject({ turns: 3 }))
  const north = (await admin.get(`/bot/${bot}`)).body.hierarchylevel
  const lookers = ['readbot', 'readdialog', 'revealconversation']
  const rita = await person(parley, admin, { username: 'rita', level: String(north), actions: lookers })
  const at = `/conversation/${id}`
  const shown = async (client: Client) =>
    [(await client.get(at)).body, (await client.get(`${at}/replay`)).text] as const
  const [hidden, silent] = await shown(rita.client)
  expect(hidden).toMatchObject({ user: null, mayreveal: true, revealed: null })
  expect(silent).not.toMatch(/Dora|"41"|:41[,}]/u)
  expect((await clerk.get(at)).body).toMatchObject({ user: null, mayreveal: false })
  expect((await admin.get(at)).body).toMatchObject({ mayreveal: false, revealed: null })
  expect((await clerk.post(`${at}/reveal`, { reason: 'Curiosidade' })).status).toBe(403)
  expect((await outsider.post(`${at}/reveal`, { reason: 'Curiosidade' })).status).toBe(403)
  expect((await rita.client.post(`${at}/reveal`, { reason: ' x ' })).status).toBe(422)
  const asked = await rita.client.post(`${at}/reveal`, { reason: 'Ana reclamou por telefone' })
  expect(asked.status, asked.text).toBe(200)
  const [seen, words] = await shown(rita.client)
  expect(seen).toMatchObject({ user: { name: 'Ana' }, mayreveal: false, revealed: expect.any(String) })
  expect(Date.parse(String(seen.revealed)) - Date.now()).toBeGreaterThan(3_500_000)
  expect(JSON.parse(words)).toMatchObject({ words: true })
  expect(words).toContain('Dora')
  // Nothing more of it, nothing of others, and nobody else.
  expect((await rita.client.get(`${at}/transcript`)).status).toBe(403)
  const others = (await list(rita.client)).items.filter(({ id: other }) => other !== id)
  const replays = await Promise.all(others.map(other => rita.client.get(`/conversation/${other.id}/replay`)))
  expect(new Set(replays.map(({ body }) => body.words))).toEqual(new Set([false]))
  expect((await clerk.get(`${at}/replay`)).text).not.toContain('Dora')
  const lines = await admin.get(`/audit?entity=conversation&entityid=${id}&action=revealed`)
  expect(lines.body).toMatchObject({ total: 1, items: [{ user: { id: rita.id } }] })
  expect(lines.text).toContain('Ana reclamou por telefone')
  const { items } = (await admin.get(`${at}/readers`)).body as unknown as AnswerOf<'GET /conversation/{id}/readers'>
  const readings = [`${rita.id} revealed`, `${rita.id} opened`]
  expect(items.map(({ user, action }) => `${user?.id} ${action}`)).toEqual(expect.arrayContaining(readings))
})
