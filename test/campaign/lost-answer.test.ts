import { afterAll, afterEach, expect, test } from 'vitest'
import { type EventStore, StoreUnavailable } from '#commands/store/port.ts'
import { startGraphServer } from '#test/doubles/meta/graph-server.ts'
import { CAMPAIGN, type CampaignWorld, openCampaignWorld, phoneAt } from './campaign-world.ts'

let world: CampaignWorld
const graph = await startGraphServer()
afterAll(() => graph.close())
afterEach(async () => {
  await world.close()
  graph.accepted.length = 0
})

/** A run over a store that does not take the first `faults` writings of what was accepted. */
const sendWith = async (faults: number) => {
  world = await openCampaignWorld({
    graphUrl: graph.url,
    people: [0, 1, 2].map(at => ({ phone: phoneAt(at), nome: 'Ana', fields: {} })),
  })
  let left = faults
  const told: unknown[] = []
  const { store } = world.parts
  const append: EventStore['append'] = async (stream, expected, events) => {
    if (left > 0 && events.some(({ data }) => Array.isArray(data.accepted) && data.accepted.length > 0)) {
      left -= 1
      throw new StoreUnavailable('it does not answer')
    }
    return store.append(stream, expected, events)
  }
  const faulty = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      return name === 'append' ? append : typeof value === 'function' ? value.bind(target) : value
    },
  })
  Object.assign(world.parts, { store: faulty, failed: (error: unknown) => told.push(error) })
  world.say('start')
  await world.drive()
  return told
}

test('keeps an answer of Meta when the store does not accept it at once [P-1432]', async () => {
  expect(await sendWith(2)).toEqual([])
  expect(graph.accepted).toHaveLength(3)
  expect(world.figures()).toMatchObject({ total: 3, unknown: 0, failed: 0 })
  expect(world.parts.index.queries.counts({ campaign: CAMPAIGN })).toEqual([
    { status: 'queuedAtWhatsapp', state: 'accepted', reason: null, count: 3, held: 0 },
  ])
})

test('reports an unwritable answer as unknown before the run ends, and sends nothing twice [P-1432]', async () => {
  expect(await sendWith(Number.POSITIVE_INFINITY)).not.toEqual([])
  expect(graph.accepted).toHaveLength(3)
  expect(world.fields.campaign?.run_status).toBe('completed')
  expect(world.figures()).toMatchObject({ total: 3, unknown: 3, waiting: 0 })
  world.say('start')
  await world.drive()
  expect(graph.accepted).toHaveLength(3)
}, 60_000)
