import { declaredReferences } from '#commands/fixture/workbench.ts'
import type { EntityState } from '#domain/behaviour.ts'
import { evolve, NONE } from '#domain/entity.ts'
import type { Lookup } from '#domain/lookup.ts'
import { createDirectory } from '#domain/people/directory.ts'
import { ENTITIES, isEntityName } from '#schemas/entities/registry.ts'
import { parentField } from '#schemas/entity.ts'
import type { StoredEvent } from '#schemas/event.ts'
import type { EntityEvent } from '#schemas/events/entity.ts'

type Folded = Extract<EntityState, { status: 'live' | 'removed' }>

/** Lookups for commands, folded from the given events: it does not know later ones. */
export class LogLookup {
  readonly #directory = createDirectory({ levelOneAccess: false })
  readonly #states = new Map<string, { readonly kind: string; readonly state: EntityState }>()

  apply({ stream, type, revision, level, data }: StoredEvent): void {
    const dash = stream.indexOf('-')
    const kind = stream.slice(0, dash)
    const id = stream.slice(dash + 1)
    if (!isEntityName(kind)) return
    const before = this.#states.get(stream)?.state ?? NONE
    const event = { type, revision, level, data: data as unknown as EntityEvent }
    const state = evolve(ENTITIES[kind], id, before, event)
    this.#states.set(stream, { kind, state })
    if (kind !== 'user' && kind !== 'usergroup' && kind !== 'role' && kind !== 'hierarchy') return
    const entry = state.status === 'live' ? { fields: state.fields, level: state.level } : undefined
    this.#directory.put(kind, id, entry)
  }

  administrators(): readonly string[] {
    return this.#directory.administrators()
  }

  /** `reached` is for the owner to say. */
  lookup(reached: Lookup['reached']): Lookup {
    const directory = this.#directory
    return {
      children: async (entity, id, child) =>
        this.#live()
          .filter(({ kind, state }) => kind === child && isIn(kind, state, entity, id))
          .map(({ state }) => state.id),
      referrers: async targets => {
        const items = this.#live().flatMap(({ kind, state }) =>
          declaredReferences(kind, state).filter(({ target, id }) => targets.includes(target) && !targets.includes(id)),
        )
        return { items, total: items.length }
      },
      occupants: async level =>
        this.#live().filter(({ kind, state }) =>
          kind === 'hierarchy' ? state.fields.parent === level : state.level === level,
        ).length,
      administrators: async supposing => directory.administrators(supposing),
      sessionsOf: async () => [],
      sessionsAt: async () => [],
      ancestors: async level => directory.ancestors(level),
      permissionsOfGroups: async groups => directory.permissionsOfGroups(groups),
      permissionsOfRoles: async roles => directory.permissionsOfRoles(roles),
      permissionsOfToken: async () => new Set<string>(),
      permissionsOfUser: async user => directory.permissionsOfUser(user),
      reached,
    }
  }

  #live(): { readonly kind: string; readonly state: Folded }[] {
    return [...this.#states.values()].flatMap(({ kind, state }) => (state.status === 'live' ? [{ kind, state }] : []))
  }
}

/** A comment belongs to a flow, an answer to its comment. */
const isIn = (kind: string, { fields }: Folded, entity: string, id: string) =>
  isEntityName(kind) && (parentField(ENTITIES[kind]) === entity || kind === entity) && fields[entity] === id
