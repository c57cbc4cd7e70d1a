import { BEHAVIOURS } from '#domain/behaviours.ts'
import { decideCreate, initialFields } from '#domain/entity.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { isSingle } from '#schemas/single.ts'
import { sealChanges } from '../keys/secret.ts'
import { placeOf } from '../lookup/parent-level.ts'
import { referenceErrors } from '../lookup/reference.ts'
import { levelOf } from '../lookup/visibility.ts'
import type { Attempt } from '../pipeline/attempt.ts'
import type { Tools } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { circumstanceOf } from '../pipeline/decision-context.ts'
import { derivedId } from '../pipeline/event-id.ts'
import { NOTHING } from '../pipeline/load.ts'
import { parseCreate } from '../pipeline/parse.ts'
import type { Run } from '../pipeline/run.ts'

export const create: Attempt = async (tools, run) => {
  const { entity, command } = run
  if (isSingle(entity)) return refused('entity.exists', { params: { entity: entity.name } })
  const parsed = parseCreate(entity, command.input)
  if (!parsed.ok) return parsed
  const given = { ...initialFields(entity), ...parsed.value.fields }
  const place = await placeOf(tools, command.caller, entity, given, parsed.value.hierarchylevel)
  if (!place.ok) return place
  const errors = await referenceErrors(
    tools,
    command.caller,
    { entity, id: '', level: place.value, fields: given },
    given,
  )
  if (errors.length > 0) return refused('validation.failed', { errors })

  const { id, loaded } = await unusedId(tools, run)
  if (loaded.state.status !== 'none') return accepted({ id, revision: loaded.tail.revision })
  const level = levelOf(entity, { id, level: place.value })
  const circumstance = await circumstanceOf(tools, run, loaded.state, given)
  const allowed = BEHAVIOURS[entity.name]?.onCreate?.(given, circumstance) ?? accepted(given)
  if (!allowed.ok) return allowed
  const fields = await sealChanges(tools.keys, entity, id, {}, allowed.value)
  const committed = await commit(tools, run, { entity, id, level, loaded }, decideCreate(entity, fields))
  return committed.ok ? accepted({ id, ...committed.value }) : committed
}

/**
 * The id this command makes, or the next one where another taker of the name has closed it. At first it is not looked
 * up: the append, which names "no stream", finds out.
 */
export const unusedId = async ({ loader }: Tools, { author, entity, command, isRepeated }: Run) => {
  for (let attempt = 0; ; attempt += 1) {
    const id = attempt === 0 && command.id !== '' ? command.id : derivedId(author.seed, `${entity.name}:${attempt}`)
    if (!isRepeated && command.id === '') return { id, loaded: NOTHING }
    const loaded = await loader.load(entity, id)
    if (loaded.state.status !== 'abandoned') return { id, loaded }
  }
}
