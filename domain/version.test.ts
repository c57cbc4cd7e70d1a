import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Live } from './behaviour.ts'
import { inTheWay, match } from './version.ts'

const live = (id: string, name: string): Live => ({ status: 'live', id, revision: 1, level: null, fields: { name } })

const NAMED = { title: 'name' }

test('the same id is the same thing, then the same name, and the rest is new or surplus', () => {
  const things = [{ id: 'a', name: 'Renamed' }, { id: 'z', name: ' OLD name ' }, { name: 'New' }]
  const { pairs, surplus } = match(NAMED, things, [live('a', 'Before'), live('b', 'Old name'), live('c', 'Gone')])
  expect(pairs.map(({ present }) => present?.id)).toEqual(['a', 'b', undefined])
  expect(surplus.map(({ id }) => id)).toEqual(['c'])
})

test('two that swap their names are in the way of one another, one that is merely renamed is in nobody’s', () => {
  const present = [live('a', 'One'), live('b', 'Two'), live('c', 'Three')]
  const things = [
    { id: 'a', name: 'Two' },
    { id: 'b', name: 'One' },
    { id: 'c', name: 'Four' },
  ]
  expect(inTheWay(match(NAMED, things, present), ['name']).map(({ id }) => id)).toEqual(['a', 'b'])
})

test('everything present is paired once or surplus, and everything wanted is in a pair', () => {
  const thing = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), name: fc.constantFrom('k', 'l', 'm') })
  const list = fc.uniqueArray(thing, { selector: ({ id }) => id })
  fc.assert(
    fc.property(list, list, (things, states) => {
      const { pairs, surplus } = match(
        NAMED,
        things,
        states.map(({ id, name }) => live(id, name)),
      )
      const used = [...pairs.flatMap(({ present }) => present?.id ?? []), ...surplus.map(({ id }) => id)]
      expect(used.sort()).toEqual(states.map(({ id }) => id).sort())
      expect(pairs.map(pair => pair.thing)).toEqual(things)
    }),
    { numRuns: 200 },
  )
})
