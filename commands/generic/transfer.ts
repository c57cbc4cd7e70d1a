import { z } from 'zod'
import { eventOf } from '#domain/entity.ts'
import { checkRights, type RightsFacts } from '#domain/people/permission.ts'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { reaches } from '../lookup/parent-level.ts'
import { type Attempt, decisionContext, type LoadFacts } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { idempotent } from '../pipeline/idempotent.ts'
import { loadLiveTarget } from '../pipeline/load-target.ts'
import { lockTree } from '../pipeline/lock-tree.ts'
import { parse } from '../pipeline/parse.ts'

const inputSchema = z.strictObject({ hierarchylevel: z.string().min(1).max(200) })

/**
 * Moves an entity with its contents to another level. An entity's level is that of its newest `Transferred` event; its
 * contents follow. `load`: facts about rights, if moving the entity can grant or revoke them.
 */
export const transfer = (load?: LoadFacts<RightsFacts>): Attempt =>
  idempotent(async (context, run) => {
    const { entity, command } = run
    const target = await loadLiveTarget(context, run)
    if (!target.ok) return target
    const { state, loaded } = target.value
    const input = parse(inputSchema, command.input)
    if (!input.ok) return input
    const level = String(input.value.hierarchylevel)
    await lockTree(context, run, state.id)
    const place = (await context.loader.load(hierarchy, level, { fresh: true })).state
    if (place.status !== 'live' || !reaches(command.caller, level))
      return refused('validation.failed', { errors: [{ path: 'hierarchylevel', code: 'reference' }] })
    const { id } = state
    if (level === state.level) return accepted({ id, revision: state.revision })
    if (load !== undefined) {
      const rights = checkRights(await decisionContext(load, context, run, state, {}))
      if (!rights.ok) return rights
    }
    const events = [eventOf(entity, 'Transferred', { fields: {} })]
    const committed = await commit(context, run, { entity, id, level, loaded }, events)
    return committed.ok ? accepted({ id, ...committed.value }) : committed
  })
