import { expect, test } from 'vitest'
import { isWithinReach } from './within-reach.ts'

const flow = { dialogtask: 'agenda', bot: 'clinic' }

test('a flow reaches what lies in its bot, handlers of its own task alone, and every bot', () => {
  expect(isWithinReach('dialog', { dialogtask: 'billing', bot: 'clinic' }, flow)).toBe(true)
  expect(isWithinReach('dialog', { dialogtask: 'stay', bot: 'hotel' }, flow)).toBe(false)
  expect(isWithinReach('dialogtask', { bot: 'hotel' }, flow)).toBe(false)
  expect(isWithinReach('variableschema', { bot: 'hotel' }, flow)).toBe(false)
  expect(isWithinReach('handler', { dialogtask: 'agenda', bot: 'clinic' }, flow)).toBe(true)
  expect(isWithinReach('handler', { dialogtask: 'billing', bot: 'clinic' }, flow)).toBe(false)
  expect(isWithinReach('bot', {}, flow)).toBe(true)
})

test('what is not known yet is not held against a flow', () => {
  expect(isWithinReach('dialog', { dialogtask: 'billing' }, flow)).toBe(true)
  expect(isWithinReach('dialogtask', { bot: 'hotel' }, { dialogtask: 'agenda' })).toBe(true)
})
