import { randomUUID } from 'node:crypto'
import type { JsonObject, NewEvent, StoredEvent } from '#schemas/event.ts'

/** An event to append; tests identify it by type and data. */
export function newEvent(type = 'BotStarted', data: JsonObject = {}): NewEvent {
  return {
    id: randomUUID(),
    type,
    version: 1,
    data,
    time: new Date().toISOString(),
    actor: randomUUID(),
    correlation: randomUUID(),
    causation: null,
    level: randomUUID(),
    hash: 'ab'.repeat(32),
  }
}

export function newEvents(count: number, type?: string): NewEvent[] {
  return Array.from({ length: count }, (_, n) => newEvent(type, { n }))
}

export async function collect(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const collected: StoredEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}

export async function revisions(events: AsyncIterable<StoredEvent>): Promise<number[]> {
  return (await collect(events)).map(event => event.revision)
}
