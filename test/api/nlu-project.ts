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

/** An NLU project with these lines by intent. */
export const nluProjectOf = async (
  admin: Client,
  name: string,
  lines: Readonly<Record<string, readonly string[]>>,
  fields: object = {},
): Promise<string> => {
  const nluproject = await admin.create('nluproject', { name, locale: 'pt', ...fields })
  for (const [intent, texts] of Object.entries(lines))
    await admin.create('intent', { nluproject, name: intent, statements: texts.map(text => ({ text })) })
  return nluproject
}

interface Model {
  readonly id: string
  readonly number: number
  readonly production: boolean
  readonly test: boolean
  readonly trained_by: string
  readonly figures: Readonly<Record<string, number>>
}

/** The project once no training of it is under way. */
export const untilTrained = async (admin: Client, id: string) =>
  vi.waitFor(
    async () => {
      const row = (await admin.get(`/nluproject/${id}`)).body
      expect(row.training_status).not.toBe('started')
      return { status: row.training_status, error: row.training_error, models: row.models as readonly Model[] }
    },
    { timeout: 60_000, interval: 50 },
  )

/** Trains a project; answers its newest model. */
export const trainedProject = async (admin: Client, id: string): Promise<Model> => {
  const { status, text } = await admin.post(`/nluproject/${id}/train`)
  expect(status, text).toBe(200)
  const trained = await untilTrained(admin, id)
  expect(trained.status, String(trained.error)).toBe('finished')
  return trained.models[0] as Model
}
