import { MENU_ACTIONS, SERVICES } from '#domain/people/permission.ts'
import type { JsonObject } from '#schemas/event.ts'
import { derivedId } from '../pipeline/event-id.ts'
import type { CommandHandler, Outcome } from '../port.ts'
import type { EventStore } from '../store/port.ts'
import { systemCaller } from './system.ts'

/** Ids created at first start: constant for a store, so an interrupted start resumes. */
interface FirstIds {
  readonly level: string
  readonly role: string
  readonly group: string
  readonly user: string
}

export const firstIds = (store: EventStore): FirstIds => ({
  level: derivedId(store.id, 'first hierarchy'),
  role: derivedId(store.id, 'first role'),
  group: derivedId(store.id, 'first usergroup'),
  user: derivedId(store.id, 'first user'),
})

/** The role that may do everything. */
export const EVERYTHING = { actions: [...MENU_ACTIONS], services: [...SERVICES] }

type System = (entity: string, action: string, id: string, input?: JsonObject) => Promise<Outcome>

/** Gives commands on the system's behalf, in the root level. */
export const systemOf =
  (commands: CommandHandler, level: string): System =>
  (entity, action, id, input = {}) =>
    commands.execute({
      entity,
      action,
      id,
      input,
      caller: systemCaller(level),
      correlation: crypto.randomUUID(),
    })

/** @throws when what the system asked for was refused */
export const granted = (outcome: Outcome): Extract<Outcome, { ok: true }> => {
  if (!outcome.ok) throw new Error(`Refused: ${JSON.stringify(outcome.refusal)}`)
  return outcome
}
