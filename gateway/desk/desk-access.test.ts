import { expect, test } from 'vitest'
import type { DeskQueue } from '#runtime/agent/desk/desk-directory.ts'
import type { DeskRow } from '#runtime/agent/desk/desk-index.ts'
import { type DeskViewer, mayActOnChat, mayReadChat, maySeeChat } from './desk-access.ts'

const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-12-01T12:00:00Z')
const queue = { members: [{ user: 'member' }] } as unknown as DeskQueue
const chat = (fields: object) =>
  ({ conversation: 'c1', holder: null, lastholder: null, lastheld: null, ...fields }) as DeskRow

const viewer = (user: string, actions: readonly string[], revealed?: ReadonlyMap<string, number>) =>
  ({ user, can: name => actions.includes(name), ...(revealed === undefined ? {} : { revealed }) }) as DeskViewer

/** Whether a user may read, act on and see a chat. */
const rights = (who: DeskViewer, row: DeskRow, now = NOW) =>
  [mayReadChat, mayActOnChat, maySeeChat].map(may => may(who, row, queue, now))

test('lets the last holder read a chat for 24 hours, and no longer [P-2151]', () => {
  const row = chat({ status: 'closed', lastholder: 'eva', lastheld: NOW })
  const eva = viewer('eva', ['answerconversation'])
  expect(rights(eva, row, NOW + 24 * HOUR_MS - 1)).toEqual([true, true, true])
  expect(rights(eva, row, NOW + 24 * HOUR_MS)).toEqual([false, false, false])
  expect(rights(viewer('rui', ['answerconversation']), row)).toEqual([false, false, false])
  // Without the right to answer nothing is left of it.
  expect(rights(viewer('eva', []), row)).toEqual([false, false, false])
})

test('lets who asked read a chat until the end of that, and not act on it [P-2151]', () => {
  const row = chat({ status: 'held', holder: 'eva' })
  const asked = viewer('rui', ['answerconversation'], new Map([['c1', NOW + HOUR_MS]]))
  expect(rights(asked, row, NOW + HOUR_MS - 1)).toEqual([true, false, true])
  expect(rights(asked, row, NOW + HOUR_MS)).toEqual([false, false, false])
  expect(rights(asked, chat({ conversation: 'c2', status: 'held', holder: 'eva' }))).toEqual([false, false, false])
  expect(rights(viewer('rui', [], new Map([['c1', NOW + HOUR_MS]])), row)).toEqual([false, false, false])
})

test('lets members read a chat while it waits, and supervisors always [P-2151]', () => {
  const [waiting, held] = [chat({ status: 'waiting' }), chat({ status: 'held', holder: 'eva' })]
  const member = viewer('member', ['answerconversation'])
  expect([rights(member, waiting), rights(member, held)]).toEqual([
    [true, true, true],
    [false, true, true],
  ])
  expect(rights(viewer('rui', ['answerconversation']), waiting)).toEqual([false, false, false])
  expect(rights(viewer('chefe', ['superviseconversation']), held)).toEqual([true, true, true])
  // They give and take chats, and read none.
  expect(rights(viewer('chefe', ['assignconversation']), held)).toEqual([false, true, true])
})
