import { expect, vi } from 'vitest'
import type { Client } from './harness.ts'

/** Trains a project or brain from a few lines of its intents; answers the id of its model. */
export const trainedModel = async (
  admin: Client,
  intent: 'intent' | 'nluintent',
  parent: Readonly<Record<string, string | undefined>>,
): Promise<string> => {
  const [[kind, id] = []] = Object.entries(parent)
  for (const name of ['boleto', 'agenda']) {
    const statements = [`quero ${name}`, `onde vejo ${name}`, `${name} por favor`].map(text => ({ text }))
    await admin.post(`/${intent}`, { ...parent, name, statements })
  }
  await admin.post(`/${kind}/${id}/train`)
  return vi.waitFor(
    async () => {
      const { models } = (await admin.get(`/${kind}/${id}`)).body
      expect(models).toHaveLength(1)
      return (models as { id: string }[])[0]?.id ?? ''
    },
    { timeout: 20_000, interval: 50 },
  )
}
