import { expect, test } from 'vitest'
import type { ProviderChannel } from '../open-channels.ts'
import { TestMessages } from './test-message.ts'

const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-12-01T12:00:00Z')

test('hears a person for the hours in which their provider takes free words [P-2707]', async () => {
  let last = 0
  const tests = new TestMessages({
    index: { lastWord: () => last },
    call: async () => expect.fail('nothing is sent'),
    personOf: async (_channel, user) => user,
    now: () => NOW,
  })
  const hears = (type: string) => tests.isHearing({ id: 'c', type } as ProviderChannel, '+55 11 98765-0001')
  const both = () => Promise.all(['whatsapp_meta', 'telegram'].map(hears))
  expect(await both()).toEqual([false, false])
  last = NOW - 24 * HOUR_MS
  expect(await both()).toEqual([true, true])
  last -= 1
  expect(await both()).toEqual([false, true])
})
