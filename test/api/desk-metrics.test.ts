import { afterAll, describe, expect, test } from 'vitest'
import type { DeskMetrics } from '#schemas/api/desk-metrics.ts'
import { AGENT, type DeskTeam, message, openDeskTeam, until } from './desk-team.ts'
import { type Client, discard } from './harness.ts'
import { level, person } from './people.ts'

const team = await openDeskTeam()
const { parley, admin, place, queue } = team
const changed = await admin.patch(`/deskqueue/${queue}`, { csat: '5', csat_comment: 'O que faltou?' }, 1)
expect(changed.status, changed.text).toBe(200)
const actions = [...AGENT, 'superviseconversation', 'exportdesk', 'readaudit']
const boss = await person(parley, admin, { username: 'chefe', level: place, actions })
const stranger = await person(parley, admin, { username: 'fora', level: await level(admin, 'Outra'), actions })
afterAll(() => discard(team.parley))

const metrics = async (client: Client, by = 'day'): Promise<DeskMetrics> => {
  const { status, text, body } = await client.get(`/desk/metrics?by=${by}`)
  expect(status, text).toBe(200)
  return body as unknown as DeskMetrics
}

/** A chat that an agent takes, answers and closes. Returns the person. */
const served = async (agent: DeskTeam['camila'], closing: object = { reason: 'resolvido' }) => {
  const { ana, at } = await team.waiting()
  expect((await agent.client.post(`${at}/take`, {})).status).toBe(200)
  const { body } = await agent.client.get(at)
  const said = await agent.client.post(`${at}/messages`, message('Oi', String(body.position)))
  expect(said.status, said.text).toBe(200)
  const closed = await agent.client.post(`${at}/close`, closing)
  expect(closed.status, closed.text).toBe(200)
  return { ana, at }
}

describe('a rating at the desk', () => {
  test('is pressed in the web chat, and shown to the agent with its comment [P-2475]', async () => {
    const { ana, at } = await served(team.camila)
    await until(async () => expect(await ana.talk()).toContain('bot: Como foi o atendimento?'))
    const question = (await ana.page()).messages.find(({ text }) => text === 'Como foi o atendimento?') as unknown as {
      readonly id: string
      readonly actions: readonly { readonly id: string; readonly title: string }[]
    }
    const good = question.actions.find(({ title }) => title === 'Bom')
    await ana.send({ type: 'choice', of: question.id, value: good?.id })
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: O que faltou?'))
    await ana.say('um prazo')
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: De volta: closed'))
    const { events } = (await team.camila.client.get(at)).body as unknown as { readonly events: object[] }
    expect(events.slice(-2)).toMatchObject([
      { kind: 'asked', about: 'agent', scale: '5' },
      { kind: 'rated', about: 'agent', scale: '5', score: 4, comment: 'um prazo' },
    ])
  })

  test('is left out by the agent, who sees that [P-2475]', async () => {
    const { ana, at } = await served(team.diego, { reason: 'resolvido', csat: false })
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: De volta: closed'))
    expect(await ana.talk()).not.toContain('bot: Como foi o atendimento?')
    const { body } = await team.diego.client.get(at)
    expect(body).toMatchObject({ csat: true, reasons: [{ key: 'resolvido', name: 'Resolvido', csat: true }] })
    expect(body.events).toContainEqual(expect.objectContaining({ kind: 'unrated', about: 'agent', why: 'agent' }))
  })
})

describe('figures of the desk', () => {
  test('are grouped by day, queue, agent and reason for a supervisor [P-2476]', async () => {
    await team.waiting()
    const counted = { requested: 3, served: 2, givenup: 0, csat: { asked: 1, rated: 1, good: 1 }, goal: { count: 3 } }
    await until(async () => expect((await metrics(boss.client)).total).toMatchObject(counted))
    const byDay = await metrics(boss.client)
    expect(byDay.own).toBe(false)
    // A day may have ended between two of them.
    for (const name of ['requested', 'served', 'givenup'] as const)
      expect(byDay.rows.reduce((sum, row) => sum + row[name], 0)).toBe(counted[name])
    expect(byDay.rows.at(-1)?.key).toMatch(/^\d{4}-\d\d-\d\d$/u)
    const { total } = byDay
    expect(total.waiting.count).toBe(2)
    expect(total.first.count).toBe(2)
    expect(total.handle.count).toBe(2)
    expect(total.first.mean ?? 0).toBeGreaterThanOrEqual(total.waiting.mean ?? 0)
    expect(total.nps).toEqual({ asked: 0, rated: 0, promoters: 0, detractors: 0 })
    const byQueue = await metrics(boss.client, 'queue')
    expect(byQueue.rows.map(({ key, name, requested }) => [key, name, requested])).toEqual([[team.queue, 'Pedidos', 3]])
    const byAgent = await metrics(boss.client, 'agent')
    expect(byAgent.rows.map(({ name, served: n, csat }) => [name, n, csat.rated]).toSorted()).toEqual([
      ['camila', 1, 1],
      ['diego', 1, 0],
    ])
    const byReason = await metrics(boss.client, 'reason')
    expect(byReason.rows.map(({ key, name, requested }) => [key, name, requested]).toSorted()).toEqual([
      ['', '', 1],
      ['resolvido', 'Resolvido', 2],
    ])
  })

  test('are those of an agent alone without the right to supervise [P-2477]', async () => {
    const mine = await metrics(team.camila.client, 'queue')
    expect(mine.own).toBe(true)
    expect(mine.total).toMatchObject({ requested: 1, served: 1, csat: { asked: 1, rated: 1, good: 1 } })
    expect(mine.total.handle.count).toBe(1)
    expect((await metrics(team.diego.client, 'agent')).rows.map(({ key }) => key)).toEqual([team.diego.id])
  })

  test('count no bots outside of the levels of the caller [P-2477]', async () => {
    expect((await metrics(stranger.client)).total.requested).toBe(0)
    expect((await metrics(stranger.client, 'agent')).rows).toEqual([])
  })

  test('contain the available time of agents, and how busy it was [P-2478]', async () => {
    const set = await team.camila.client.put('/desk/state', { state: 'available' })
    expect(set.status, set.text).toBe(200)
    await until(async () => {
      const { rows } = await metrics(boss.client, 'agent')
      const { occupancy } = rows.find(({ key }) => key === team.camila.id) ?? {}
      expect(occupancy?.available ?? 0).toBeGreaterThan(0)
      expect(occupancy?.busy).toBe(0)
    })
    expect((await metrics(boss.client, 'queue')).rows[0]?.occupancy).toBeNull()
  })

  test('are exported as CSV with the right for it, and the audit lists that [P-2479]', async () => {
    expect((await team.camila.client.get('/desk/metrics/export?by=queue')).status).toBe(403)
    const { status, text } = await boss.client.get('/desk/metrics/export?by=queue')
    expect(status).toBe(200)
    const [head = '', row = '', ...rest] = text.trim().split('\r\n')
    expect(rest).toEqual([])
    const cells = Object.fromEntries(head.split(',').map((name, at) => [name, row.split(',')[at]]))
    expect(cells).toMatchObject({ queue: team.queue, name: 'Pedidos', requested: '3', served: '2', csat: '1.0000' })
    await until(async () => {
      const { items } = (await team.admin.get('/audit?action=exported')).body as unknown as { items: object[] }
      expect(items).toMatchObject([{ action: 'exported', user: { id: boss.id } }])
    })
  })
})
