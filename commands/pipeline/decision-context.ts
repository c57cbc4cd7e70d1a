import type { Circumstance, EntityState } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import type { Tools } from './command-context.ts'
import { GATHERERS } from './gatherers.ts'
import type { Run } from './run.ts'

/** Time, actor and the facts that deciding this command needs. */
export const circumstanceOf = async (
  tools: Tools,
  run: Run,
  state: EntityState,
  fields: Fields,
): Promise<Circumstance> => ({
  time: run.author.time,
  actor: run.author.actor,
  facts: (await GATHERERS[run.entity.name]?.(tools, run, state, fields)) ?? {},
})
