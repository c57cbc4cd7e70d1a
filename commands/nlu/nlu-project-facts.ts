import type { NluProjectFacts } from '#domain/nluproject.ts'
import { closesCycle } from '../people/rights-facts.ts'
import { bypassCache, type LoadFacts } from '../pipeline/command-context.ts'

/** Lock stream for changes of inheritance; a command locks it from its decision to its append. */
const INHERITANCE = 'name-nluinheritance'

/**
 * Two nodes that each make one project inherit from the other would both find no cycle: a change of the parent takes a
 * lock and decides on the previous holder's writes.
 */
export const loadNluProjectFacts: LoadFacts<NluProjectFacts> = async (context, run, state, { inheritfrom }) => {
  if (state.status === 'none' || state.status === 'abandoned' || typeof inheritfrom !== 'string')
    return { cycle: false }
  if (state.status === 'live' && inheritfrom === state.fields.inheritfrom) return { cycle: false }
  const { author, reserved, entity } = run
  const owner = { entity: entity.name, id: state.id }
  reserved.set(INHERITANCE, owner)
  await context.reservation.reserve(author, owner, INHERITANCE)
  return { cycle: await closesCycle(bypassCache(context), run, state.id, inheritfrom, 'inheritfrom') }
}
