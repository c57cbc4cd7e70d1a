import { expect, test } from 'vitest'
import { isWithinReach } from './references.ts'

const flow = { dialogtask: 'agenda', bot: 'clinic' }

test('allows targets in the bot of the flow, handlers of the same task, and every bot', () => {
  expect(isWithinReach('dialog', { dialogtask: 'billing', bot: 'clinic' }, flow)).toBe(true)
  expect(isWithinReach('dialog', { dialogtask: 'stay', bot: 'hotel' }, flow)).toBe(false)
  expect(isWithinReach('dialogtask', { bot: 'hotel' }, flow)).toBe(false)
  expect(isWithinReach('variableschema', { bot: 'hotel' }, flow)).toBe(false)
  expect(isWithinReach('handler', { dialogtask: 'agenda', bot: 'clinic' }, flow)).toBe(true)
  expect(isWithinReach('handler', { dialogtask: 'billing', bot: 'clinic' }, flow)).toBe(false)
  expect(isWithinReach('bot', {}, flow)).toBe(true)
})

test('allows targets while their owner is unknown', () => {
  expect(isWithinReach('dialog', { dialogtask: 'billing' }, flow)).toBe(true)
  expect(isWithinReach('dialogtask', { bot: 'hotel' }, { dialogtask: 'agenda' })).toBe(true)
})
