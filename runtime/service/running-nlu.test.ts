import { expect, test } from 'vitest'
import type { RowOf } from '#projections/port.ts'
import { Hints, MemoryBus } from '#realtime/cluster/hints.ts'
import { rowOf } from '#test/fixture/row-of.ts'
import { RunningNlu } from './running-nlu.ts'

const project = rowOf('nluproject', 'p', { models: [{ id: 'h', hash: 'h', production: true }] })
const started = { runningstatus: 'running', nluenabled: true, nluproject: 'p' } as const
const bots = [
  rowOf('bot', 'one', { ...started }),
  rowOf('bot', 'other', { ...started }),
  rowOf('bot', 'stopped', { ...started, runningstatus: 'stopped' }),
  rowOf('bot', 'off', { ...started, nluenabled: false }),
  rowOf('bot', 'pinned', { ...started, nlumodel: 'x' }),
  rowOf('bot', 'outside', { ...started, default_nlu_system: 'rasa' }),
]

interface Behaving {
  /** Model of the newest release of each bot. */
  readonly release?: (bot: string) => string
  readonly opens?: boolean
  readonly isShown?: boolean
  readonly others?: readonly string[]
  readonly hearsAll?: boolean
  readonly bots?: readonly RowOf<'bot'>[]
}

const nodeOn = (bus: MemoryBus, is: Behaving = {}): RunningNlu => {
  const hints = new Hints({ bus: bus.join(), store: 's', key: 'k' })
  const read = {
    detail: async () => project,
    list: async () => ({ items: is.bots ?? bots, total: 6, page: 1, size: 100 }),
    reached: async () => is.isShown ?? true,
  }
  return new RunningNlu({
    hints,
    store: { head: async () => '1' },
    read: read as unknown as ConstructorParameters<typeof RunningNlu>[0]['read'],
    releases: { newest: async bot => ({ nlumodel: is.release?.(bot) ?? 'h' }) as never },
    nlu: { responses: async () => (is.opens === false ? undefined : {}) },
    isOutside: ({ default_nlu_system: system }) => system === 'rasa',
    othersOf: () => is.others ?? [],
    hearsAll: () => is.hearsAll ?? true,
    failed: error => expect.unreachable(String(error)),
    within: { taken: 150, answered: 400 },
  })
}
const asked = { entity: 'nluproject', id: 'p' } as const

test('the running bots of a project follow when their release has its model and that opens [P-978]', async () => {
  const of = (is: Behaving) => nodeOn(new MemoryBus(), is).ask(asked)
  expect(await of({})).toEqual({ running: 2, updated: 2, heard: true })
  expect(await of({ release: bot => (bot === 'one' ? 'h' : 'before') })).toEqual({
    running: 2,
    updated: 1,
    heard: true,
  })
  expect(await of({ opens: false })).toMatchObject({ running: 2, updated: 0 })
  expect(await of({ isShown: false })).toMatchObject({ running: 2, updated: 0 })
  expect(await of({ hearsAll: false })).toMatchObject({ heard: false })
  expect(await of({ bots: bots.slice(2) })).toMatchObject({ running: 0, updated: 0 })
})

test('settings are those of every running bot with natural language on [P-978]', async () => {
  const one = nodeOn(new MemoryBus())
  expect(await one.ask({ entity: 'nlusettings', id: 'nlusettings' })).toMatchObject({ running: 4, updated: 4 })
})
