import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { createCommandHandler } from '../command-handler.ts'
import { pausedStore } from '../fixture/memory-store.ts'
import { openPeopleBench, type PeopleBench } from './fixture/people-bench.ts'

let bench: PeopleBench
/** Root → north → shop → till; root → south. */
let ids: Record<'north' | 'shop' | 'till' | 'south', string>
beforeEach(async () => {
  bench = await openPeopleBench()
  const reach = async () => ({ ...bench.admin, subtree: await subtree() })
  const make = async (name: string, parent: string) =>
    (await bench.must('hierarchy', 'create', '', { name, parent }, await reach())).id
  const north = await make('Norte', bench.ids.level)
  const shop = await make('Loja', north)
  ids = { north, shop, till: await make('Caixa', shop), south: await make('Sul', bench.ids.level) }
})
afterEach(() => bench.close())

const subtree = async (): Promise<ReadonlySet<string>> => {
  const levels = new Set<string>()
  for await (const { stream } of bench.store.readAll({ filter: { streamPrefixes: ['hierarchy-'] } }))
    levels.add(stream.slice('hierarchy-'.length))
  return levels
}
const run = async (action: string, id: string, input: JsonObject, permissions = ['movehierarchy', 'updatehierarchy']) =>
  bench.run('hierarchy', action, id, input, bench.somebody(permissions, { subtree: await subtree() }))
const parentOf = async (id: string) => (await bench.fields('hierarchy', id)).parent
const faulty = (code: string) => ({ refusal: { code: 'validation.failed', errors: [{ path: 'parent', code }] } })

describe('a branch of levels', () => {
  it('moves with everything below it, and its event says where it lies then [P-580]', async () => {
    expect(await run('move', ids.shop, { parent: ids.south })).toMatchObject({ ok: true, revision: 2 })
    expect(await parentOf(ids.shop)).toBe(ids.south)
    expect(await bench.lookup.ancestors(ids.till)).toEqual([ids.till, ids.shop, ids.south, bench.ids.level])
    const [, moved] = await bench.events(`hierarchy-${ids.shop}`)
    expect(moved).toMatchObject({ type: 'HierarchyMoved', data: { fields: { parent: ids.south } } })
    expect(await run('move', ids.shop, { parent: ids.south })).toMatchObject({ ok: true, revision: 2 })
  })

  it('cannot move below itself or its descendants, by any command [P-580]', async () => {
    for (const parent of [ids.north, ids.shop, ids.till])
      for (const action of ['move', 'change'])
        expect(await run(action, ids.north, { parent }), action).toMatchObject(faulty('cycle'))
    expect(await run('move', bench.ids.level, { parent: ids.south })).toMatchObject(faulty('cycle'))
    expect(await parentOf(ids.north)).toBe(bench.ids.level)
  })

  it('goes only where there is a level [P-580]', async () => {
    expect(await run('move', ids.shop, { parent: 'nowhere' })).toMatchObject(faulty('reference'))
    expect(await run('move', ids.shop, {})).toMatchObject(faulty('required'))
    await bench.must(
      'hierarchy',
      'remove',
      ids.south,
      { confirm: 'CONFIRM' },
      {
        ...bench.admin,
        subtree: await subtree(),
      },
    )
    expect(await run('move', ids.shop, { parent: ids.south })).toMatchObject({ refusal: { code: 'entity.parent' } })
  })

  it('moves only with the permission to move levels, by any command [P-580]', async () => {
    const clerk = ['updatehierarchy', 'readhierarchy']
    expect(await run('move', ids.shop, { parent: ids.south }, clerk)).toMatchObject({
      refusal: { code: 'access.forbidden' },
    })
    expect(await run('change', ids.shop, { parent: ids.south }, clerk)).toMatchObject({
      refusal: { code: 'access.lacking', params: { permissions: ['movehierarchy'] } },
    })
    expect(await run('change', ids.shop, { name: 'Loja 1', parent: ids.north }, clerk)).toMatchObject({ ok: true })
    await run('move', ids.shop, { parent: ids.south })
    expect(await run('restore', ids.shop, { revision: 1, fields: ['parent'] }, clerk)).toMatchObject({
      refusal: { code: 'access.lacking' },
    })
  })

  it('moves only between places that the caller reaches, also by bringing an old place back [P-580]', async () => {
    const northern = bench.somebody(['movehierarchy', 'updatehierarchy'], {
      level: ids.north,
      subtree: new Set([ids.north, ids.shop, ids.till]),
    })
    const asNorthern = (action: string, id: string, input: JsonObject) =>
      bench.run('hierarchy', action, id, input, northern)
    expect(await asNorthern('move', ids.shop, { parent: ids.south })).toMatchObject(faulty('reference'))
    expect(await asNorthern('move', ids.south, { parent: ids.north })).toMatchObject({
      refusal: { code: 'entity.notfound' },
    })
    await run('move', ids.till, { parent: ids.south })
    await run('move', ids.till, { parent: ids.north })
    expect(await asNorthern('restore', ids.till, { revision: 2, fields: ['parent'] })).toMatchObject(
      faulty('reference'),
    )
    expect(await asNorthern('restore', ids.till, { revision: 1, fields: ['parent'] })).toMatchObject({ ok: true })
    expect(await parentOf(ids.till)).toBe(ids.shop)
  })

  it('closes no circle by bringing an old place back [P-580]', async () => {
    await run('move', ids.till, { parent: ids.north })
    await run('move', ids.shop, { parent: ids.till })
    expect(await run('restore', ids.till, { revision: 1, fields: ['parent'] })).toMatchObject(faulty('cycle'))
  })
})

/** Appends of a move, with its lock stream; no pause happens later. */
const STEPS = 4

it('stays in the tree when two nodes take each of two branches below the other [P-580]', async () => {
  for (let nth = 1; nth <= STEPS; nth += 1) {
    const caller = { ...bench.admin, subtree: await subtree() }
    const { store, reached, release } = pausedStore(bench.store, nth)
    const move = (id: string, parent: string) => ({
      entity: 'hierarchy',
      action: 'move',
      id,
      input: { parent },
      caller,
      correlation: 'move',
    })
    const { keys, lookup, now } = bench
    const slow = createCommandHandler({ store, keys, lookup, now }).execute(move(ids.north, ids.south))
    const stands = await Promise.race([reached.then(() => true), slow.then(() => false)])
    const other = await bench.commands.execute(move(ids.south, ids.north))
    release()
    const outcomes = [await slow, other]

    expect(
      outcomes.filter(({ ok }) => ok),
      `append ${nth}`,
    ).toHaveLength(1)
    for (const id of [ids.north, ids.south])
      expect((await bench.lookup.ancestors(id)).at(-1), `append ${nth}`).toBe(bench.ids.level)
    for (const id of [ids.north, ids.south])
      await bench.must('hierarchy', 'move', id, { parent: bench.ids.level }, caller)
    if (!stands) break
  }
})

it('is not removed while something moves to it on another node [P-1901]', async () => {
  const { id: bot } = await bench.must('bot', 'create', '', { name: 'Lia', hierarchylevel: bench.ids.level })
  for (let nth = 1; nth <= STEPS; nth += 1) {
    const caller = { ...bench.admin, subtree: await subtree() }
    const { store, reached, release } = pausedStore(bench.store, nth)
    const { keys, lookup, now } = bench
    const input = { hierarchylevel: ids.south }
    const transfer = { entity: 'bot', action: 'transfer', id: bot, input, caller, correlation: 'transfer' }
    const slow = createCommandHandler({ store, keys, lookup, now }).execute(transfer)
    const stands = await Promise.race([reached.then(() => true), slow.then(() => false)])
    const removed = await bench.run('hierarchy', 'remove', ids.south, { confirm: 'CONFIRM' }, caller)
    release()
    const moved = await slow
    expect([moved.ok, removed.ok].filter(Boolean), `append ${nth}`).toHaveLength(1)

    if (moved.ok) await bench.must('bot', 'transfer', bot, { hierarchylevel: bench.ids.level }, caller)
    if (removed.ok) await bench.must('hierarchy', 'restore', ids.south, { revision: removed.revision }, caller)
    if (!stands) break
  }
})

describe('a level that is removed while something comes into it on another node', () => {
  const cases = [
    ['a bot', 'bot', (level: string) => ({ name: 'Nova', hierarchylevel: level })],
    ['a level', 'hierarchy', (level: string) => ({ name: 'Nova', parent: level })],
  ] as const

  const live = async (entity: string, id: string): Promise<boolean> => {
    const events = await bench.events(`${entity}-${id}`)
    return events.length > 0 && !/Removed$/u.test(events.at(-1)?.type ?? '')
  }

  it.each(cases)(
    'stays with %s in it or is removed without it, at each step at which one of them pauses [P-2006]',
    async (...given) => {
      const [, entity, inputOf] = given
      let isDone = false
      for (let nth = 1; !isDone; nth += 1) {
        for (const slowAction of ['create', 'remove'] as const) {
          const caller = { ...bench.admin, subtree: await subtree() }
          const { id: level } = await bench.must(
            'hierarchy',
            'create',
            '',
            { name: `L${nth}${slowAction}`, parent: ids.north },
            caller,
          )
          const within = { ...caller, subtree: await subtree() }
          const command = {
            create: { entity, action: 'create', id: '', input: inputOf(level) },
            remove: { entity: 'hierarchy', action: 'remove', id: level, input: { confirm: 'CONFIRM' } },
          }
          const { store, reached, release } = pausedStore(bench.store, nth, 'any')
          const { keys, lookup, now } = bench
          const about = { caller: within, correlation: 'race', seed: `${slowAction} ${nth} ${level}` }
          const slow = createCommandHandler({ store, keys, lookup, now }).execute({ ...command[slowAction], ...about })
          const stands = await Promise.race([reached.then(() => true), slow.then(() => false)])
          const fast = await bench.commands.execute({
            ...command[slowAction === 'create' ? 'remove' : 'create'],
            caller: within,
            correlation: 'race',
          })
          release()
          const outcome = { [slowAction]: await slow, [slowAction === 'create' ? 'remove' : 'create']: fast }
          const { create, remove } = outcome
          if (create === undefined || remove === undefined) throw new Error('two outcomes')
          const at = `${slowAction} ${nth}`
          expect([create.ok, remove.ok].filter(Boolean), at).toHaveLength(1)
          expect(await live('hierarchy', level), at).toBe(create.ok)
          if (create.ok) {
            expect(await live(entity, create.id), at).toBe(true)
            await bench.must(
              entity,
              'remove',
              create.id,
              { confirm: 'CONFIRM' },
              { ...caller, subtree: await subtree() },
            )
          } else expect(['entity.parent', 'validation.failed'], at).toContain(create.refusal.code)
          if (!stands && slowAction === 'remove') isDone = true
        }
      }
    },
  )
})
