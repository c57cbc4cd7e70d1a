import { randomUUID } from 'node:crypto'
import type { JsonObject, NewEvent } from '#schemas/event.ts'

/** Keys must be able to vanish, so their events stand in streams of their own, outside every chain of hashes. */
export const keyEvent = (type: string, data: JsonObject): NewEvent => ({
  id: randomUUID(),
  type,
  version: 1,
  data,
  time: new Date().toISOString(),
  actor: null,
  correlation: randomUUID(),
  causation: null,
  level: null,
  hash: '',
})
