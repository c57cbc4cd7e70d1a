import { expect, test } from 'vitest'
import { metersOf, openMetrics, registerGauges } from './metrics.ts'

test('has the waits for the read models that ended at their limit [P-2230]', async () => {
  const metrics = openMetrics()
  registerGauges(
    {
      metrics,
      read: { status: () => ({ position: '1', behind: 0, lateWaits: 3, ready: true }) },
      readiness: { followers: () => [] },
      store: { countAfter: async () => 0 },
    },
    { count: 0, connections: 0 } as Parameters<typeof registerGauges>[1],
    { inboxAge: async () => 0, turnsWaiting: () => 0, openedExchange: () => undefined },
  )
  expect(await metrics.registry.metrics()).toMatch(/^parley_read_model_late_waits 3$/m)
})

test('counts effects by kind, and texts that were understood below the threshold [P-2602]', async () => {
  const metrics = openMetrics()
  const meters = metersOf(metrics)
  const understood = (confidence: number, threshold?: number) =>
    meters.performed({
      ...{ kind: 'nlu', ms: 20, ok: true, intents: [{ name: 'saldo', confidence }], entities: [] },
      ...(threshold === undefined ? {} : { threshold }),
    })
  understood(0.4, 0.5)
  understood(0.5, 0.5)
  understood(0.1)
  meters.performed({ kind: 'nlu', ms: 20, ok: true, intents: [], entities: [] })
  meters.performed({ kind: 'nlu', ms: 1, ok: false, code: 'noproject' })
  meters.performed({ kind: 'rest', ms: 30, ok: false, error: { code: 'http', message: 'HTTP 500' } })
  const text = await metrics.registry.metrics()
  expect(text).toMatch(/^parley_nlu_below_threshold_total 2$/m)
  expect(text).toMatch(/^parley_nlu_seconds_count 4$/m)
  expect(text).toMatch(/^parley_effect_seconds_count{kind="nlu",outcome="absent"} 1$/m)
  expect(text).toMatch(/^parley_effect_seconds_count{kind="rest",outcome="failed"} 1$/m)
})
