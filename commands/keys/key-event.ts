import { randomUUID } from 'node:crypto'
import type { JsonObject, NewEvent } from '#schemas/event.ts'

/** Keys must be deletable, so their events are in separate streams, outside every hash chain. */
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
