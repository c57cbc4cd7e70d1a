import { expect, test } from 'vitest'
import { openMetrics, registerGauges } from './metrics.ts'

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
    { inboxAge: async () => 0 },
  )
  expect(await metrics.registry.metrics()).toMatch(/^parley_read_model_late_waits 3$/m)
})
