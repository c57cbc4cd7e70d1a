import { expect, it } from 'vitest'
import { botOfAddress } from './bot-of-address.ts'

it('finds the bot in the path, else in pid', () => {
  expect(botOfAddress('/bot/b1', '')).toBe('b1')
  expect(botOfAddress('/bot/dialogtask/b1', '?pid=b2')).toBe('b1')
  expect(botOfAddress('/bot/settings/variable/b1/v9', '')).toBe('b1')
  expect(botOfAddress('/dialogtask/t1', '?pid=b3')).toBe('b3')
})

it('finds no bot when a page of a bot is opened without one [P-93]', () => {
  expect(botOfAddress('/bot/dialogtask', '')).toBeUndefined()
  expect(botOfAddress('/bot/dialogtask/', '')).toBeUndefined()
  expect(botOfAddress('/bot/settings', '')).toBeUndefined()
  expect(botOfAddress('/bot/dialogtask', '?pid=b2')).toBe('b2')
})

it('takes lists and new things for no bot', () => {
  expect(botOfAddress('/bot/search', '')).toBeUndefined()
  expect(botOfAddress('/bot/new', '')).toBeUndefined()
  expect(botOfAddress('/audit', '')).toBeUndefined()
})
