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
import { withWholeItems } from '#domain/field/stored-items.ts'
import type { ChosenHit } from '#domain/flow/text/rewrite-flow.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { type EventSource, entityStream, type Step } from '#schemas/events/entity.ts'
import { flowStream } from '#schemas/events/flow.ts'
import type { Refusal } from '#schemas/refusal.ts'
import { changeFlow } from '../flow/flow-change.ts'
import { entityHasScript } from '../flow/flow-document.ts'
import { restore } from '../generic/restore.ts'
import { sealChanges } from '../keys/secret.ts'
import { clearReferences } from '../lookup/reference.ts'
import { type Author, derivedId, findWrittenEvent } from '../pipeline/append.ts'
import {
  awaitLookup,
  bypassCache,
  type CommandContext,
  listDescendants,
  loadThing,
  type Run,
} from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { systemCaller } from '../port.ts'
import { appliedRevision, applyFlow } from '../version/apply-version.ts'
import { keepVersion, supersede } from '../version/create-version.ts'
import { performBatch } from './batch.ts'
import { PlanOutdated, type StepContext, type StepResult } from './process-port.ts'
import { skippedReplacements } from './replace-text.ts'

interface On {
  readonly entity: EntityDeclaration
  readonly id: string
  /** Its fields before; none where it is about to be made. */
  readonly present: Fields
}

/** Fields that a step sets as they may be stored: items of lists complete, what is secret from now on encrypted. */
const storedFields = (
  { keys }: Pick<CommandContext, 'keys'>,
  { seed }: Pick<Author, 'seed'>,
  { entity, id, present }: On,
  fields: Fields,
): Promise<Fields> => {
  const whole = withWholeItems(entity.fields, present, fields, path => derivedId(seed, `item:${path}`))
  return sealChanges(keys, entity, id, present, whole)
}

type Rewriting = Extract<Step, { do: 'renameinflow' | 'replaceinflow' }>

/** Changes names or texts of one flow, as one edit; skips hits removed or changed since the plan. */
const rewriteFlow = async (
  context: CommandContext,
  author: Author,
  step: Rewriting,
  entity: EntityDeclaration,
): Promise<StepResult> => {
  const { state } = await context.loader.load(entity, step.id, { fresh: true })
  if (step.do === 'replaceinflow') {
    const { id, by, hits, parser } = step
    if (state.status !== 'live') return toldOf(id, hits)
    const wanted = { text: step.text, isExact: step.isExact, isWholeWord: step.isWholeWord }
    const change = { kind: 'replace', wanted, by, hits, parser } as const
    const { left = [] } = await changeFlow(context.flows, id, author, change, { kind: 'replace' })
    return toldOf(id, left)
  }
  if (state.status !== 'live') return {}
  const { from, to, parser } = step
  const source = { kind: 'rename' as const, from, to }
  await changeFlow(context.flows, step.id, author, { kind: 'rename', renaming: { from, to }, parser }, source)
  return {}
}

const toldOf = (flow: string, left: readonly ChosenHit[]): StepResult => {
  const told = skippedReplacements(flow, left)
  return told === undefined ? {} : { told }
}

/** The step that clears what still refers to a removed thing. The lookup is limited, so it is asked until nothing is left. */
const clearHolders = async (context: CommandContext, author: Author, id: string): Promise<undefined> => {
  const gone = new Set([id])
  for (let round = 0; ; round += 1) {
    await awaitLookup(context)
    const { items } = await context.lookup.referrers([id])
    let cleared = 0
    for (const holder of items.filter(({ block }) => block === undefined)) {
      const entity: EntityDeclaration | undefined = context.entityOf(holder.entity)
      const seed = derivedId(author.seed, `${holder.id}:${round}`)
      const written = entity && (await clearReferences(context, { ...author, seed }, { entity, id: holder.id }, gone))
      if (written !== undefined) cleared += 1
    }
    if (cleared === 0) return
  }
}

/** Performs one step once: does not repeat writes of an earlier attempt. */
export const perform = async (
  context: CommandContext,
  author: Author,
  step: Step,
  how: StepContext,
): Promise<StepResult> => {
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
  how: StepContext,
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

const bringBack = async (
  context: CommandContext,
  author: Author,
  { id, input }: Extract<Step, { do: 'bringback' }>,
  entity: EntityDeclaration,
): Promise<StepResult> => {
  const given = { id, input, caller: systemCaller(), correlation: author.correlation }
  const command = { entity: entity.name, action: 'restore', ...given }
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
  how: StepContext,
): Promise<undefined> => {
  await awaitLookup(context)
  const source = { kind: entity.name, id: step.id }
  for (const thing of await listDescendants(context, { entity, id: step.id })) {
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
  ids: StepContext['ids'],
): Promise<undefined> => {
  const state = await context.flows.storedAt(from, revision)
  if (state === undefined) return
  const hasScript = entityHasScript(entity)
  const members = await context.flows.work.perform({ do: 'members', state, hasScript })
  const drawing = [Buffer.from('{'), members, Buffer.from('}')]
  const source = { kind: 'duplicate' as const, from, revision }
  await changeFlow(context.flows, id, author, { kind: 'drawing', drawing, hasScript, ids, origin: 'duplicate' }, source)
}
