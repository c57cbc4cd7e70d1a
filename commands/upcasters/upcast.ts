import type { StoredEvent } from '#schemas/event.ts'
import { UPCASTERS } from './registry.ts'

/** An event of a newer program: its reader stops instead of guessing. */
export class UnknownEventVersion extends Error {
  override readonly name = 'UnknownEventVersion'
  constructor(event: StoredEvent) {
    super(`${event.type} version ${event.version} in ${event.stream} was written by a newer program`)
  }
}

/** The shape in which events of a type are written today. */
export const currentVersion = (type: string): number => (UPCASTERS[type]?.length ?? 0) + 1

/** An event in today's shape. Throws `UnknownEventVersion`. */
export const upcast = (event: StoredEvent): StoredEvent => {
  const current = currentVersion(event.type)
  if (event.version > current) throw new UnknownEventVersion(event)
  const steps = UPCASTERS[event.type]?.slice(event.version - 1) ?? []
  if (steps.length === 0) return event
  return { ...event, version: current, data: steps.reduce((data, lift) => lift(data, event), event.data) }
}
