import { vi } from 'vitest'
import type { Client } from './harness.ts'

/** Starts a bot and stops it again; answers the id of its runtime as a service, which the program wrote meanwhile. */
export const serviceOf = async (admin: Client, bot: string): Promise<string> => {
  const started = await admin.post(`/bot/${bot}/start`)
  if (started.status !== 200) throw new Error(started.text)
  return vi.waitFor(
    async () => {
      const { items } = (await admin.get(`/botservice?bot=${bot}`)).body
      const [service] = items
      if (service === undefined) throw new Error(`bot ${bot} has no service yet`)
      return String(service.id)
    },
    { timeout: 10_000, interval: 50 },
  )
}
