import { expect, test, vi } from 'vitest'
import { dayBefore, dayIn } from '#domain/metrics/conversation-fact.ts'
import type { BotMetrics } from '#schemas/api/bot-metrics.ts'
import type { Dashboard } from '#schemas/api/home.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { noonZone } from '#test/fixture/noon-zone.ts'
import { makeFlowBot } from './chat-bot.ts'
import type { Client } from './harness.ts'
import { openChat } from './open-chat.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()
const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
const south = await level(admin, 'South')
const ana = await person(parley, admin, {
  username: 'ana',
  level: south,
  actions: ['showdashboard', 'readbot', 'createbot'],
})
const rui = await person(parley, admin, { username: 'rui', level: root, actions: ['readbot'] })

const dashboard = async (client: Client, query = '') => {
  const { status, text, body } = await client.get(`/dashboard${query}`)
  expect(status, text).toBe(200)
  return body as unknown as Dashboard
}
const sum = (counts: readonly number[] = []) => counts.reduce((total, n) => total + n, 0)
const makeBot = async (client: Client, name: string) => {
  const { status, text } = await client.post('/bot', { name })
  expect(status, text).toBe(201)
}
const editsOf = ({ edits }: Dashboard, id: string) => sum(edits.find(({ person: editor }) => editor?.id === id)?.counts)

test('counts edits per person and day, editors, sign-ins and bots of a period [C-2.29] [P-310]', async () => {
  const before = await dashboard(admin)
  await makeBot(ana.client, 'Aurora')
  await makeBot(ana.client, 'Lume')
  await parley.anyone.post('/auth/login', { username: 'rui', password: 'Wrong-2026!' })
  const after = await dashboard(admin, '?days=7')
  expect(before.days).toHaveLength(30)
  expect(after.days).toHaveLength(7)
  for (const { counts } of after.edits) expect(counts).toHaveLength(7)
  expect(editsOf(after, ana.id) - editsOf(before, ana.id)).toBe(2)
  // The day may have ended during this test.
  expect(sum(after.editors.slice(-2))).toBeGreaterThanOrEqual(2)
  expect(sum(after.signins?.succeeded)).toBeGreaterThanOrEqual(3)
  expect(sum(after.signins?.failed) - sum(before.signins?.failed)).toBe(1)
  expect(after.bots?.stopped).toBe(2)
  expect(after.locked).toEqual({ total: 0, people: [] })
})

test('counts entities in the levels of the caller, and only readable ones [P-311]', async () => {
  await makeBot(admin, 'Only at the root')
  const own = await dashboard(ana.client)
  expect(own.edits.map(({ person: editor }) => editor?.id)).toEqual([ana.id])
  expect(own.bots).toEqual({ stopped: 2 })
  expect(own).not.toHaveProperty('signins')
  expect(own).not.toHaveProperty('locked')
})

test('refuses the dashboard without its permission, and a period it does not have [P-311]', async () => {
  expect((await rui.client.get('/dashboard')).status).toBe(403)
  expect((await parley.anyone.get('/dashboard')).status).toBe(401)
  for (const days of ['8', '', 'x', '99999999']) {
    expect((await admin.get(`/dashboard?days=${days}`)).status, days).toBe(422)
  }
})

test('names the people whose sign-in is locked [P-310]', async () => {
  expect((await admin.post(`/user/${rui.id}/lock`, {})).status).toBe(200)
  const { locked } = await dashboard(admin)
  expect(locked?.people.map(({ id }) => id)).toEqual([rui.id])
})

test('a figure of a day is the total of the audit that it leads to [P-432]', async () => {
  const own = await dashboard(admin)
  // The day before, too: the present one may end during this test, or may have since the first one.
  const day = own.days.at(-2)
  const total = async (query: string) => {
    const answer = await admin.get(`/audit?from=${day}T03:00:00.000Z&to=2100-01-01&size=1&${query}`)
    expect(answer.status, answer.text).toBe(200)
    return answer.body.total
  }
  const bot = (await admin.post('/bot', { name: 'Within' })).body.id
  const task = (await admin.post('/dialogtask', { name: 'Inside', bot })).body.id
  const after = await dashboard(admin)
  const since = (counts: readonly number[] = []) => sum(counts.slice(after.days.indexOf(String(day))))
  expect(await total('figure=edits')).toBe(after.edits.reduce((all, { counts }) => all + since(counts), 0))
  expect(await total(`figure=edits&user=${ana.id}`)).toBe(editsOf(after, ana.id))
  expect(await total('figure=signins')).toBe(since(after.signins?.succeeded))
  expect(await total('figure=failedsignins')).toBe(since(after.signins?.failed))
  expect(await total('figure=publishes')).toBe(since(after.publishes))
  expect(await total(`within=${bot}`)).toBe(2)
  expect(await total(`within=${bot}&entityid=${task}`)).toBe(1)
  expect(await total(`within=${bot}&entityid=${ana.id}`)).toBe(0)
  expect(await total('within=nothing')).toBe(0)
  expect((await admin.get('/audit?figure=none')).status).toBe(422)
})

/** It asks for a name, and ends the conversation. */
const ASKS = {
  format: 'parley-flow',
  version: 1,
  operators: {
    start: plainBlock('start', 0),
    ask: plainBlock('prompt', 90, { varname: 'nome', data: { type: 'text', text: 'Seu nome?' } }),
    end: plainBlock('endconversation', 180),
  },
  links: { a: link('start', 'ask'), b: link('ask', 'end') },
}

test('compares the results of the bots that the caller may read, most conversations first [P-2973] [P-2075] [P-2077] [P-2067] [P-2103] [P-2104] [P-2105]', async () => {
  const timezone = noonZone(Date.now())
  const today = dayIn(Date.now(), timezone)
  const made = async (name: string, hierarchylevel: string, talks: readonly (readonly string[])[]) => {
    const { bot, channel } = await makeFlowBot(admin, { name, hierarchylevel, timezone }, ASKS)
    for (const words of talks) await openChat(parley.origin, channel, words)
    return bot
  }
  const quiet = await made('Quiet', south, [['Ana']])
  const away = await made('Away', root, [['Ana'], ['Eva']])
  const busy = await made('Busy', south, [['Ana'], ['Bia'], ['Eva'], ['Rui'], ['Lia'], ['Zoe'], []])
  const results = async (client: Client, query: string) => {
    const { status, text, body } = await client.get(`/bot/metrics?${query}`)
    expect(status, text).toBe(200)
    return body as unknown as AnswerOf<'GET /bot/metrics'>
  }
  await vi.waitFor(async () => expect((await results(admin, '')).all).toMatchObject({ started: 10, closed: 9 }))

  const { items, total, ...page } = await results(admin, 'size=100')
  expect(items.map(({ id }) => id).slice(0, 3)).toEqual([busy, away, quiet])
  expect(items.slice(3).every(({ started }) => started === 0)).toBe(true)
  expect(total).toBe((await admin.get('/bot')).body.total)
  const [first] = items
  const { total: own, hours, week } = (await admin.get(`/bot/${busy}/metrics`)).body as unknown as BotMetrics
  expect(first).toEqual({
    ...{ id: busy, name: 'Busy', from: dayBefore(today, 6), to: today, started: 7, closed: 6 },
    ...{ contained: own.contained, handoff: own.handoff.count, completed: own.outcomes.completed },
    ...{ texts: own.understanding.texts, unrecognized: own.understanding.unrecognized },
  })
  expect(own).toMatchObject({ started: 7, closed: 6, contained: 6, outcomes: { completed: 6 } })
  const { all } = page
  expect(page).toEqual({ days: 7, page: 1, size: 100, all: expect.objectContaining({ started: 10, contained: 9 }) })
  expect(await results(admin, 'size=1&page=2&days=30')).toMatchObject({
    ...{ days: 30, all, page: 2, size: 1, total },
    items: [{ id: away, from: dayBefore(today, 29), to: today, started: 2, completed: 2 }],
  })

  // Small counts are hidden from people without the right to read conversations, and the others rounded.
  const seen = await results(ana.client, 'days=1')
  expect(seen.items.map(({ name }) => name)).toEqual(['Busy', 'Quiet', 'Aurora', 'Lume'])
  expect(seen.items.map(({ started }) => started)).toEqual([5, null, 0, 0])
  expect(seen.all).toMatchObject({ started: 5, closed: 5, handoff: 0 })
  const { total: shown, rows } = (await ana.client.get(`/bot/${busy}/metrics`)).body as unknown as BotMetrics
  expect(shown).toMatchObject({ started: 5, closed: 5, contained: 5, outcomes: { completed: 5 } })
  expect(shown.turns.mean).toBe(Number(own.turns.mean?.toPrecision(2)))
  expect(rows).toMatchObject([{ key: today, conversations: { started: 5 } }])
  expect((await ana.client.get(`/bot/${busy}/metrics/export`)).text).toContain(`\r\n${today},5,`)
  // The column "Live now" of the list.
  const liveOf = async (client: Client, ids: readonly string[]) => {
    const { items } = (await client.get(`/bot/live?ids=${ids.join(',')}`)).body as unknown as AnswerOf<'GET /bot/live'>
    return items
  }
  const idle = { agents: 0, editing: [] }
  expect(await liveOf(admin, [busy, quiet])).toEqual([
    { ...idle, id: busy, talking: 1 },
    { ...idle, id: quiet, talking: 0 },
  ])
  expect(await liveOf(ana.client, [busy, away, 'nothing'])).toEqual([{ ...idle, id: busy, talking: null }])
  // The list has no exact count either, and none of the conversations of one count.
  const list = async (client: Client, query = '') => (await client.get(`/conversation?bot=${busy}${query}`)).body
  const counts = { bot: null, agent: 0, ended: 5, gaveup: 0 }
  expect(await list(ana.client)).toMatchObject({ items: { length: 7 }, total: 5, more: false, counts })
  expect(await list(ana.client, '&standing=bot')).toMatchObject({
    items: { length: 1 },
    total: null,
    more: false,
    counts,
  })
  expect(await list(ana.client, '&size=6')).toMatchObject({ items: { length: 6 }, total: 5, more: true })
  expect(await list(admin, '&size=6&page=2')).toMatchObject({ total: 7, more: false, counts: { bot: 1, ended: 6 } })
  const days = `firstday=${today}&lastday=${today}`
  for (const filter of [`measure=started&${days}`, 'measure=started', 'at=ask'])
    for (const path of [`/conversation?bot=${busy}&`, `/conversation/export?bot=${busy}&`]) {
      expect((await ana.client.get(path + filter)).status, path + filter).toBe(403)
      expect((await admin.get(path + filter)).status, path + filter).toBe(200)
    }
  // An hour of a weekday has its list.
  const weekday = new Date(today).getUTCDay()
  expect(week).toEqual(Array.from({ length: 7 }, (_, day) => (day === weekday ? hours : Array(24).fill(0))))
  const hour = hours.findIndex(n => n !== 0)
  const inHour = async (day: number) =>
    (await list(admin, `&measure=hour:${day}-${String(hour).padStart(2, '0')}&${days}`)).total
  expect([await inHour(weekday), await inHour((weekday + 1) % 7)]).toEqual([hours[hour], 0])
  expect((await admin.get(`/bot/${busy}/metrics?by=weather`)).status).toBe(422)
  for (const no of ['0', '367', 'x']) expect((await admin.get(`/bot/metrics?days=${no}`)).status, no).toBe(422)
})
