import { expect, test } from 'vitest'
import { discard } from './harness.ts'
import { openParley } from './open-parley.ts'

const LONG = 180_000

test(
  'the sample workspace has a finished campaign of a simulated number with its report [P-2568]',
  async () => {
    const parley = await openParley({ env: { PARLEY_SAMPLE: 'on' } })
    try {
      const admin = await parley.signIn()
      const campaign = async () => (await admin.get('/campaign')).body.items[0]
      await expect.poll(async () => (await campaign())?.run_status, { timeout: LONG, interval: 500 }).toBe('completed')
      const { id, metaaccount } = (await campaign()) as unknown as { id: string; metaaccount: string }
      const figures = async () => (await admin.get(`/campaign/${id}/statistics`)).body
      // Of 0 to 93 and 96 to 121: 80 to 83 fail, 93 sends no receipt.
      await expect.poll(figures, { timeout: 60_000 }).toMatchObject({
        ...{ total: 120, failed: 4, unknown: 0, accepted: 1, handedover: 116, progress: 1 },
      })
      const number = (await admin.get(`/simulatednumber/${metaaccount}`)).body
      expect(number).toMatchObject({ simulated: true, tier: 'TIER_250' })
      await expect
        .poll(async () => (await admin.get(`/simulatednumber/${metaaccount}`)).body.speed, { timeout: 30_000 })
        .toBe(1)
      expect((await admin.get(`/campaign/${id}/recipients/export`)).text).toContain(',SIMULATED')
    } finally {
      await discard(parley)
    }
  },
  2 * LONG,
)
