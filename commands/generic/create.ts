import { decideCreate, initialFields } from '#domain/entity.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { isSingle } from '#schemas/versioned.ts'
import { claimFiles } from '../file/claim-files.ts'
import { sealChanges } from '../keys/secret.ts'
import { clearLateReferences, referenceErrors } from '../lookup/reference.ts'
import { derivedId, findWrittenEvent, undoneSeed } from '../pipeline/append.ts'
import { type Attempt, type CommandContext, levelOf, placeOf, type Run } from '../pipeline/command-context.ts'
import { commit, type PlannedCommit } from '../pipeline/commit.ts'
import { NOTHING } from '../pipeline/load.ts'
import { parseCreate } from '../pipeline/parse.ts'
import { awaitLookup } from '../process/descendants.ts'

export const create: Attempt = async (context, run) => {
  const planned = await planCreate(context, run)
  if (!planned.ok) return planned
  const { target, events, fields } = planned.value
  const committed = await commit(context, run, target, events)
  if (!committed.ok) return committed
  const { cleared, ...written } = await clearLateReferences(context, run, target, fields, committed.value)
  return accepted({ id: target.id, ...written, ...(cleared.length === 0 ? {} : { result: { cleared } }) })
}

/** Events to write, and their stream. */
export const planCreate = async (context: CommandContext, run: Run): Promise<Result<PlannedCommit>> => {
  const { entity, command } = run
  const parsed = await parseCreate(entity, command.input, run.author.seed)
  if (!parsed.ok) return parsed
  const given = { ...initialFields(entity), ...parsed.value.fields }
  const place = await placeOf(context, command.caller, entity, given, parsed.value.hierarchylevel)
  if (!place.ok) return place
  const errors = await referenceErrors(
    context,
    command.caller,
    { entity, id: '', level: place.value, fields: given },
    given,
  )
  if (errors.length > 0) return refused('validation.failed', { errors })
  if (isSingle(entity)) return refused('entity.exists', { params: { entity: entity.name } })

  const { id, loaded } = await unusedId(context, run)
  const level = levelOf(entity, { id, level: place.value })
  if (loaded.state.status === 'removed' && (await isUndone(context, run, id))) return refused('entity.parent')
  if (loaded.state.status !== 'none') return accepted({ target: { entity, id, level, loaded }, events: [], fields: {} })
  const room = await roomInLevel(context, entity, level)
  if (!room.ok) return room
  const named = { ...run, command: { ...command, id } }
  const allowed = await context.registry.rulesOf(entity.name).onCreate(context, named, loaded.state, given)
  if (!allowed.ok) return allowed
  const claimed = await claimFiles(context.files, command.caller, entity, {}, allowed.value)
  if (!claimed.ok) return claimed
  const fields = await sealChanges(context.keys, entity, id, {}, claimed.value)
  return accepted({ target: { entity, id, level, loaded }, events: decideCreate(entity, fields), fields })
}

/** Refuses one more than a level may have. */
export const roomInLevel = async (
  context: CommandContext,
  { name, maxInLevel: max }: EntityDeclaration,
  level: string | null,
): Promise<Result<null>> => {
  if (max === undefined || level === null) return accepted(null)
  await awaitLookup(context)
  const present = await context.lookup.children('hierarchy', level, name)
  return present.length < max ? accepted(null) : refused('entity.limit', { params: { max } })
}

/** Whether this command created it and removed it again, because its level was removed meanwhile. */
const isUndone = async ({ store }: CommandContext, { author, entity }: Run, id: string): Promise<boolean> =>
  (await findWrittenEvent(store, undoneSeed(author.seed), entityStream(entity.name, id))) !== undefined

/**
 * The id this command makes, or the next one where another taker of the name has closed it. At first it is not looked
 * up: the append, which names "no stream", finds out.
 */
export const unusedId = async ({ loader }: CommandContext, { author, entity, command, isRepeated }: Run) => {
  for (let attempt = 0; ; attempt += 1) {
    const id = attempt === 0 && command.id !== '' ? command.id : derivedId(author.seed, `${entity.name}:${attempt}`)
    if (!isRepeated && command.id === '') return { id, loaded: NOTHING }
    const loaded = await loader.load(entity, id)
    if (loaded.state.status !== 'abandoned') return { id, loaded }
  }
}
