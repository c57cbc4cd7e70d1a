import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bot } from '#schemas/entities/bot.ts'
import { user } from '#schemas/entities/user.ts'
import { listAddress, readListState } from '#web/entity/list/list-state.ts'
import { addressOf, flowAddress, formAddress } from './address.ts'

const WEB = join(import.meta.dirname, '..')

test('spells the history as its target reads it when a page is opened with it [P-92]', () => {
  for (const entity of ['dialog', 'flow'])
    expect(addressOf(entity, 'd1', { history: true })).toBe('/designer/dialog/d1?mode=history')
  expect(addressOf('handler', 'h1', { at: 7 })).toBe('/designer/handler/h1?mode=history&at=7')
  expect(addressOf('bot', 'b1', { at: 7 })).toBe('/bot/b1?history=1&at=7')
  expect(addressOf('hierarchy', 'l1', { history: true })).toBe('/hierarchy/l1?history=1')
  expect(addressOf('hierarchy', 'l1')).toBe('/hierarchy')
  expect(addressOf('version', 'v1', { history: true })).toBeUndefined()
  expect(addressOf('dialogcomment', 'c1')).toBeUndefined()
})

test('leaves out what a target does not read [P-92]', () => {
  expect(addressOf('bot', 'b1', { comment: 'c1', block: 'x' })).toBe('/bot/b1')
  expect(flowAddress('dialog', 'd1', { bot: 'b1', block: 'a b' })).toBe('/designer/dialog/d1?pid=b1&block=a+b')
  expect(formAddress('/dialogtask/t1', { edit: true, bot: 'b1' })).toBe('/dialogtask/t1?edit=1&pid=b1')
})

test('narrows a list by what the list reads from its address [P-92]', () => {
  for (const [entity, filter] of [
    [user, { locked: 'true' }],
    [bot, { runningstatus: 'pending' }],
  ] as const) {
    const { search } = new URL(listAddress(entity, filter), 'http://console')
    expect(readListState(new URLSearchParams(search), entity).filter).toEqual(filter)
  }
})

test('is the one place that spells parameters of a page [P-92]', () => {
  const spelled = globSync('**/*.{ts,tsx}', { cwd: WEB, exclude: ['dist/**', '**/*.test.ts'] }).filter(file =>
    /[`'"/}][?&](mode|history|at|comment|block|edit)=/u.test(readFileSync(join(WEB, file), 'utf8')),
  )
  expect(spelled).toEqual([])
})
