import { expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { childrenOf, parentIn } from './entity-tree.ts'

const names = (children: readonly { readonly name: string }[]) => children.map(({ name }) => name)

const { children: _, ...undeclared } = ENTITIES.dialogtask

test('lists the children of an entity in the order of the registry when it declares none', () => {
  expect(names(childrenOf(ENTITIES, undeclared))).toEqual(['dialog', 'handler'])
  expect(names(childrenOf(ENTITIES, ENTITIES.bot)).slice(0, 2)).toEqual(['dialogtask', 'version'])
})

test('lists only the children that an entity declares, in its own order', () => {
  expect(names(childrenOf(ENTITIES, { ...ENTITIES.dialogtask, children: ['handler'] }))).toEqual(['handler'])
})

test('finds no parent in an empty parent field that may be empty', () => {
  expect(parentIn(ENTITIES.globalvariable, { bot: 'b' })).toBe('bot')
  expect(parentIn(ENTITIES.globalvariable, { bot: null })).toBeUndefined()
  expect(parentIn(ENTITIES.bot, {})).toBeUndefined()
})
