import { expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { parentIn } from './entity.ts'

test('finds no parent in an empty parent field that may be empty', () => {
  expect(parentIn(ENTITIES.globalvariable, { bot: 'b' })).toBe('bot')
  expect(parentIn(ENTITIES.globalvariable, { bot: null })).toBeUndefined()
  expect(parentIn(ENTITIES.bot, {})).toBeUndefined()
})
