import { expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { whatsappInfobip } from './whatsapp-infobip.ts'

/** Price of each receipt in a report of Infobip; undefined: none. */
const pricesOf = (...prices: readonly Json[]) => {
  const results = prices.map((price, at) => ({
    ...{ messageId: `m-${at}`, to: '5511999990000', doneAt: '2026-03-02T14:18:30.100+0000', messageCount: 1 },
    ...{ status: { groupName: 'DELIVERED' }, callbackData: `p1:${at}`, ...(price === null ? {} : { price }) },
  }))
  const body = new TextEncoder().encode(JSON.stringify({ results }))
  const parsed = whatsappInfobip.parse(
    { method: 'POST', url: '/', query: new URLSearchParams(), headers: {}, body },
    {},
    {} as never,
  )
  if (parsed instanceof Promise || !parsed.ok) throw new Error('the report was refused')
  return parsed.value.map(event => (event.kind === 'receipt' ? [event.id, event.state, event.pricing] : [event.kind]))
}

test('keeps the price of each report as it came, with its currency [P-2718]', () => {
  expect(
    pricesOf(
      { pricePerMessage: 0.01, currency: 'EUR' },
      { pricePerMessage: 0.0625, currency: 'BRL' },
      { pricePerMessage: 0, currency: 'BRL' },
      // JSON of a price below a millionth has an exponent.
      { pricePerMessage: 1e-7, currency: 'EUR' },
      { pricePerMessage: '0.05', currency: 'USD' },
      { currency: 'EUR' },
      null,
    ),
  ).toEqual([
    ['m-0', 'delivered', { amount: '0.01', currency: 'EUR' }],
    ['m-1', 'delivered', { amount: '0.0625', currency: 'BRL' }],
    ['m-2', 'delivered', { amount: '0', currency: 'BRL' }],
    ['m-3', 'delivered', { amount: '0.0000001', currency: 'EUR' }],
    ['m-4', 'delivered', { amount: '0.05', currency: 'USD' }],
    ['m-5', 'delivered', undefined],
    ['m-6', 'delivered', undefined],
  ])
})
