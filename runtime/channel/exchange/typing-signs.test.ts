import { expect, test } from 'vitest'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { ChatMessage } from '../../port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { TypingSigns } from './typing-signs.ts'

const WRITTEN = Date.parse('2026-12-01T12:00:00Z')

test('delays a message by at most 20 seconds, and not at all a minute later, as after an outage [P-2242]', async () => {
  let now = WRITTEN
  let shown = 0
  const signs = new TypingSigns({
    load: async () => {
      now += 5_000
      return undefined
    },
    call: async () => {
      shown += 1
      return { ok: false, refusal: { code: 'outbound.timeout' } }
    },
    failed: error => expect.fail(String(error)),
    now: () => now,
  })
  const typing = () => ({ method: 'POST', url: 'https://graph.example/typing', headers: [], body: {} })
  const channel = { fields: {}, adapter: { typing } } as unknown as ProviderChannel
  const message = { time: new Date(WRITTEN).toISOString(), delay: 600_000 } as unknown as ChatMessage
  const delay = () => signs.delay({ id: 'c1' } as FoldedConversation, message, { channel, to: { id: 'ana' } })
  await delay()
  expect([now - WRITTEN, shown]).toEqual([20_000, 1])
  now = WRITTEN + 60_001
  await delay()
  expect([now - WRITTEN, shown]).toEqual([60_001, 1])
})
