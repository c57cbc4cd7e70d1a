import type { DomainEvent, EntityState } from '#domain/behaviour.ts'
import {
  decideChange,
  decideCreate,
  decideRemove,
  decideRestore,
  eventOf,
  type Fields,
  withFields,
  withSource,
} from '#domain/entity.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { flowStream } from '#schemas/events/flow.ts'
import type { EventSource, Step } from '#schemas/events/process.ts'
import type { Refusal } from '#schemas/refusal.ts'
import { changeFlow } from '../flow/flow-change.ts'
import { entityHasScript } from '../flow/patch-whole.ts'
import { restore } from '../generic/restore.ts'
import type { Author } from '../pipeline/author.ts'
import { bypassCache } from '../pipeline/bypass-cache.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { findWrittenEvent } from '../pipeline/find-written-event.ts'
import { loadThing } from '../pipeline/load-single.ts'
import type { Run } from '../pipeline/run.ts'
import type { Caller } from '../port.ts'
import { appliedRevision, applyFlow } from '../version/apply-flow.ts'
import { keepVersion } from '../version/keep-version.ts'
import { supersede } from '../version/supersede.ts'
import { performBatch } from './batch.ts'
import { clearHolders } from './clear-holders.ts'
import { awaitLookup, everythingIn } from './contents.ts'
import type { How, Performed } from './performed.ts'
import { PlanOutdated } from './plan-outdated.ts'
import { rewriteFlow } from './rewrite-flow.ts'
import { storedFields } from './stored-fields.ts'

/** Performs one step once: does not repeat writes of an earlier attempt. */
export const perform = async (context: CommandContext, author: Author, step: Step, how: How): Promise<Performed> => {
  if (step.do === 'batch') return performBatch(context, author, step, how)
  const entity = context.entityOf(step.entity)
  if (entity === undefined) return {}
  if (how.resumed && (await findWrittenEvent(context.store, author.seed, streamOf(step))) !== undefined) return {}
  if (step.do === 'renameinflow' || step.do === 'replaceinflow') return rewriteFlow(context, author, step, entity)
  if (step.do === 'bringback') return bringBack(context, author, step, entity)
  const refusal = await performPlain(context, author, step, how, entity)
  return refusal === undefined ? {} : { refusal }
}

type Plain = Exclude<Step, { do: 'renameinflow' | 'replaceinflow' | 'batch' | 'bringback' }>

const performPlain = async (
  context: CommandContext,
  author: Author,
  step: Plain,
  how: How,
  entity: EntityDeclaration,
): Promise<Refusal | undefined> => {
  switch (step.do) {
    case 'create':
      return write(context, author, step, entity, async ({ status }) => {
        if (status !== 'none') return []
        const fields = await storedFields(context, author, { entity, id: step.id, present: {} }, step.fields)
        return decideCreate(entity, fields).map(from(step.source))
      })
    case 'change':
      return write(context, author, step, entity, async state => {
        if (state.status !== 'live') return []
        const on = { entity, id: step.id, present: state.fields }
        const decided = decideChange(entity, state, await storedFields(context, author, on, step.fields))
        return decided.ok ? decided.value.map(from(step.source)) : []
      })
    case 'remove':
      return write(context, author, step, entity, state =>
        state.status === 'live' ? decideRemove(entity, atRest(state.fields)).map(from(step.source)) : [],
      )
    case 'restore':
      return write(context, author, step, entity, async state => {
        if (state.status !== 'removed') return []
        const on = { entity, id: step.id, present: state.fields }
        const fields = await storedFields(context, author, on, step.fields)
        return decideRestore(entity, state, fields, state.revision).map(from(step.source))
      })
    case 'clearholders':
      return clearHolders(context, author, step.id)
    case 'sweep':
      return sweep(context, author, step, entity, how)
    case 'publish':
      return write(context, author, step, entity, state => publication(entity, state, step.flowrevision, author.time))
    case 'publishapplied': {
      const revision = await appliedRevision(context, step)
      return write(context, author, step, entity, state => publication(entity, state, revision, author.time))
    }
    case 'record':
      return write(context, author, step, entity, state =>
        state.status === 'live' ? [eventOf(entity, step.verb, { fields: step.fields })] : [],
      )
    case 'copyflow':
      return copyFlow(context, author, step, entity, how.ids)
    case 'keepversion':
      return keepVersion(context, author, step)
    case 'supersede':
      return supersede(context, author, step)
    case 'applyflow':
      return applyFlow(context, author, step, entity, how.ids)
    default:
      return step satisfies never
  }
}

const DRAWING: ReadonlySet<Step['do']> = new Set(['copyflow', 'applyflow', 'renameinflow', 'replaceinflow'])

const streamOf = ({ do: deed, entity, id }: Step): string =>
  DRAWING.has(deed) ? flowStream(id) : entityStream(entity, id)

type Events = readonly DomainEvent[]
type Decide = (state: EntityState) => Events | Promise<Events>

const write = async (
  context: CommandContext,
  author: Author,
  { id, ...step }: Step,
  entity: EntityDeclaration,
  decide: Decide,
): Promise<Refusal | undefined> => {
  const reserved: Run['reserved'] = new Map()
  const taken = new Set<string>()
  for (let copy = 1; ; copy += 1) {
    await context.loader.load(entity, id, { fresh: true })
    const loaded = await loadThing(context, entity, id)
    const { state } = loaded
    if (isOutdated(step, state)) {
      const stream = entityStream(entity.name, id)
      // Unless another node has just taken this very step.
      if ((await findWrittenEvent(context.store, author.seed, stream)) !== undefined) return undefined
      throw new PlanOutdated(stream, step.only ?? 0, state.revision)
    }
    const level =
      'level' in step ? step.level : state.status === 'live' || state.status === 'removed' ? state.level : null
    const events = (await decide(state)).map(event => numbered(event, taken, copy))
    const committed = await commit(context, { author, reserved }, { entity, id, level, loaded }, events)
    if (committed.ok) return undefined
    const { code, errors = [] } = committed.refusal
    if (code === 'entity.parent') return committed.refusal
    if (code !== 'entity.name.taken') throw new Error(`step refused: ${code}`)
    for (const { path } of errors) taken.add(path)
  }
}

const isOutdated = <S extends object>(step: S, { revision }: EntityState): step is S & { readonly only?: number } =>
  'only' in step && step.only !== undefined && step.only !== revision

/** A name taken meanwhile gets a number, so that no process gets stuck. */
const numbered = (event: DomainEvent, taken: ReadonlySet<string>, copy: number): DomainEvent => {
  const { fields } = event.data
  const names = Object.entries(fields).filter(([field, value]) => taken.has(field) && typeof value === 'string')
  if (names.length === 0) return event
  return withFields(event, {
    ...fields,
    ...Object.fromEntries(names.map(([field, value]) => [field, `${value} (${copy})`])),
  })
}

const from = (source: EventSource | undefined) => (event: DomainEvent) =>
  source === undefined ? event : withSource(event, source)

/** Fields that stop a running entity. */
const atRest = (fields: Fields): Fields =>
  'runningstatus' in fields && fields.runningstatus !== 'stopped' ? { runningstatus: 'stopped' } : {}

const publication = (entity: EntityDeclaration, state: EntityState, revision: number, time: string) => {
  if (state.status !== 'live') return []
  const { published, publishedrevision } = state.fields
  if (published === true && publishedrevision === revision) return []
  const fields = { published: true, publishedrevision: revision, published_at: time }
  return [eventOf(entity, 'Published', { fields })]
}

const SYSTEM: Caller = { user: null, session: null, level: '', subtree: new Set(), permits: () => true }

const bringBack = async (
  context: CommandContext,
  author: Author,
  { id, input }: Extract<Step, { do: 'bringback' }>,
  entity: EntityDeclaration,
): Promise<Performed> => {
  const command = { entity: entity.name, action: 'restore', id, input, caller: SYSTEM, correlation: author.correlation }
  const run: Run = { command, entity, author, reserved: new Map(), isRepeated: false }
  const result = await restore(bypassCache(context), run)
  if (result.ok) return result.value.result === undefined ? {} : { told: result.value.result }
  for (const [stream, owner] of run.reserved) await context.reservation.release(author, owner, stream)
  return { refusal: result.refusal }
}

const sweep = async (
  context: CommandContext,
  author: Author,
  step: Step,
  entity: EntityDeclaration,
  how: How,
): Promise<undefined> => {
  await awaitLookup(context)
  const source = { kind: entity.name, id: step.id }
  for (const thing of await everythingIn(context, { entity, id: step.id })) {
    const seed = `${author.seed}:${thing.id}`
    const removal: Step = { do: 'remove', entity: thing.entity.name, id: thing.id, source }
    await perform(context, { ...author, seed }, removal, how)
  }
}

const copyFlow = async (
  context: CommandContext,
  author: Author,
  { id, from, revision }: Extract<Step, { do: 'copyflow' }>,
  entity: EntityDeclaration,
  ids: How['ids'],
): Promise<undefined> => {
  const state = await context.flows.storedAt(from, revision)
  if (state === undefined) return
  const hasScript = entityHasScript(entity)
  const members = await context.flows.work.perform({ do: 'members', state, hasScript })
  const drawing = [Buffer.from('{'), members, Buffer.from('}')]
  const source = { kind: 'duplicate' as const, from, revision }
  await changeFlow(context.flows, id, author, { kind: 'drawing', drawing, hasScript, ids, origin: 'duplicate' }, source)
}
