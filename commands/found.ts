import type { EntityState } from '#domain/behaviour.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Loaded } from './load.ts'
import type { Run } from './run.ts'
import type { Tools } from './tools.ts'
import { isVisible } from './visible.ts'

type Known = Exclude<EntityState, { status: 'none' } | { status: 'abandoned' }>

/** What the command is about, live or removed; what the caller may not reach does not exist. */
export const found = async (
  { loader }: Tools,
  { entity, command }: Run,
): Promise<Result<{ state: Known; loaded: Loaded }>> => {
  const loaded = await loader.load(entity, command.id)
  const { state } = loaded
  if (state.status === 'none' || state.status === 'abandoned') return refused('entity.notfound')
  return isVisible(command.caller, entity, state) ? accepted({ state, loaded }) : refused('entity.notfound')
}
