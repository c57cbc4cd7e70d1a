import { expect, vi } from 'vitest'
import type { Client } from './harness.ts'

/** Makes a thing; answers its id. */
export const made = async (admin: Client, entity: string, fields: object): Promise<string> => {
  const { status, text, body } = await admin.post(`/${entity}`, fields)
  expect(status, text).toBe(201)
  return body.id
}

/** An NLU project with these lines by intent. */
export const nluProjectOf = async (
  admin: Client,
  name: string,
  lines: Readonly<Record<string, readonly string[]>>,
  fields: object = {},
): Promise<string> => {
  const nluproject = await made(admin, 'nluproject', { name, locale: 'pt', ...fields })
  for (const [intent, texts] of Object.entries(lines))
    await made(admin, 'intent', { nluproject, name: intent, statements: texts.map(text => ({ text })) })
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
    { timeout: 20_000, interval: 50 },
  )

/** Trains a project; answers its newest model. */
export const trainedProject = async (admin: Client, id: string): Promise<Model> => {
  const { status, text } = await admin.post(`/nluproject/${id}/train`)
  expect(status, text).toBe(200)
  const trained = await untilTrained(admin, id)
  expect(trained.status, String(trained.error)).toBe('finished')
  return trained.models[0] as Model
}
