import { z } from 'zod'
import type { Live } from '#domain/behaviour.ts'
import { decideRestore, restorable, singleState } from '#domain/entity.ts'
import { parseInput, restoredFields } from '#domain/field/validate.ts'
import { type EntityDeclaration, isSingle } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { runGatingTests } from '../conversation-test/conversation-test-facts.ts'
import { sealChanges } from '../keys/secret.ts'
import { clearDanglingReferences } from '../lookup/reference.ts'
import {
  type Attempt,
  type CommandContext,
  hasLiveParent,
  isPermitted,
  loadTarget,
  permissionFor,
  type Run,
  roomInLevel,
} from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'

const bodySchema = z.strictObject({
  revision: z.int().min(0),
  fields: z.array(z.string().max(100)).max(200).optional(),
  reason: z.string().trim().min(1).max(2000).optional(),
})

/** The named command that goes past tests that fail. */
const UNTESTED = 'publishuntested'

export const restore: Attempt = async (context, run) => {
  const { entity, command } = run
  const target = await loadTarget(context, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  const wanted = parseRestore(entity, command.input, state.revision)
  if (!wanted.ok) return wanted
  if (state.status === 'removed' && !(await hasLiveParent(context, entity, state))) return refused('entity.parent')
  const { revision, names, reason } = wanted.value
  if (state.status === 'removed') {
    const tested = await testedReturn(context, run, state, reason)
    if (!tested.ok) return tested
    const room = await roomInLevel(context, entity, state.level)
    if (!room.ok) return room
  }
  const past =
    revision === 0 ? singleState(entity, state.id, null) : await context.loader.at(entity, state.id, revision)
  if (past.status !== 'live' && past.status !== 'removed') return refused('entity.revision')

  const wantedFields = restoredFields(entity, state.fields, past.fields, names)
  const { fields: old, cleared } = await clearDanglingReferences(context, entity, state, wantedFields)
  const allowed = await context.registry.rulesOf(entity.name).onChange(context, run, state, old)
  if (!allowed.ok) return allowed
  const { id, level } = state
  const sealed = await sealChanges(context.keys, entity, id, state.fields, allowed.value)
  const fields = state.status === 'removed' && reason !== undefined ? { ...sealed, untestedreason: reason } : sealed
  const events = decideRestore(entity, state, fields, revision)
  const committed = await commit(context, run, { entity, id, level, loaded }, events)
  if (!committed.ok) return committed
  return accepted({ id, ...committed.value, ...(cleared.length === 0 ? {} : { result: { cleared } }) })
}

/** Refuses a restore that makes tests fail, unless a permitted caller gives a reason. */
const testedReturn = async (
  context: CommandContext,
  { entity, command }: Run,
  state: Pick<Live, 'id' | 'fields'>,
  reason: string | undefined,
): Promise<Result<null>> => {
  if (reason !== undefined) {
    if (entity.flow === undefined)
      return refused('validation.failed', { errors: [{ path: 'reason', code: 'unknown' }] })
    return isPermitted(context.registry, command.caller, entity, UNTESTED)
      ? accepted(null)
      : refused('access.lacking', { params: { permissions: [permissionFor(context.registry, entity, UNTESTED)] } })
  }
  const failed = await failedWithReturned(context, entity, state)
  return failed.length === 0
    ? accepted(null)
    : refused('test.failed', { params: { count: failed.length }, errors: failed })
}

/** Tests that fail with a flow that runs again as soon as it is back. */
const failedWithReturned = async (
  context: CommandContext,
  { name, flow }: EntityDeclaration,
  { id, fields }: Pick<Live, 'id' | 'fields'>,
): Promise<readonly FieldError[]> => {
  if (flow === undefined || fields.published !== true || typeof fields.publishedrevision !== 'number') return []
  const task = context.entityOf('dialogtask')
  const parent = task && (await context.loader.load(task, String(fields.dialogtask))).state
  const bot = parent?.status === 'live' ? String(parent.fields.bot) : undefined
  const names = { [id]: String(fields.name ?? '') }
  return runGatingTests(context, bot, { [`${name}s`]: { [id]: fields.publishedrevision }, names })
}

const parseRestore = (
  entity: EntityDeclaration,
  input: JsonObject,
  present: number,
): Result<{ revision: number; names: readonly string[]; reason?: string | undefined }> => {
  const parsed = parseInput(bodySchema, input)
  if (!parsed.ok) return parsed
  const { revision, fields, reason } = bodySchema.parse(parsed.value)
  const known = restorable(entity)
  if (revision === 0 && !isSingle(entity))
    return refused('validation.failed', { errors: [{ path: 'revision', code: 'toosmall', params: { min: 1 } }] })
  const errors: FieldError[] = (fields ?? []).flatMap((name, index) => {
    if (known.includes(name)) return []
    return { path: `fields.${index}`, code: Object.hasOwn(entity.fields, name) ? 'readonly' : 'unknown' }
  })
  if (revision > present) errors.push({ path: 'revision', code: 'toolarge', params: { max: present } })
  return errors.length > 0
    ? refused('validation.failed', { errors })
    : accepted({ revision, names: fields ?? known, reason })
}
