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
import type { Refusal, Result } from '#schemas/refusal.ts'
import { changeFlow } from '../flow/flow-change.ts'
import { flowFile } from '../flow/flow-file.ts'
import { entityHasScript } from '../flow/patch-whole.ts'
import { restore } from '../generic/restore.ts'
import type { Author } from '../pipeline/author.ts'
import { freshly } from '../pipeline/bypass-cache.ts'
import type { Tools } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { writtenIn } from '../pipeline/find-written-event.ts'
import type { Run } from '../pipeline/run.ts'
import type { Caller } from '../port.ts'
import { applyFlow } from '../version/apply-flow.ts'
import { keepVersion } from '../version/keep-version.ts'
import { supersede } from '../version/supersede.ts'
import { performBatch } from './batch.ts'
import { everythingIn, lookedUp } from './contents.ts'
import type { How, Performed } from './performed.ts'
import { PlanOutdated } from './plan-outdated.ts'
import { rewriteFlow } from './rewrite-flow.ts'
import { withIds } from './with-ids.ts'

/** Carries one step out, once: what an earlier attempt has written is not written again. */
export const perform = async (tools: Tools, author: Author, step: Step, how: How): Promise<Performed> => {
  if (step.do === 'batch') return performBatch(tools, author, step, how)
  const entity = tools.entityOf(step.entity)
  if (entity === undefined) return {}
  if (how.resumed && (await writtenIn(tools.store, author.seed, streamOf(step))) !== undefined) return {}
  if (step.do === 'renameinflow' || step.do === 'replaceinflow') return rewriteFlow(tools, author, step, entity)
  const refusal = await performPlain(tools, author, step, how, entity)
  return refusal === undefined ? {} : { refusal }
}

type Plain = Exclude<Step, { do: 'renameinflow' | 'replaceinflow' | 'batch' }>

const performPlain = async (
  tools: Tools,
  author: Author,
  step: Plain,
  how: How,
  entity: EntityDeclaration,
): Promise<Refusal | undefined> => {
  switch (step.do) {
    case 'create':
      return write(tools, author, step, entity, ({ status }) =>
        status === 'none' ? decideCreate(entity, step.fields).map(from(step.source)) : [],
      )
    case 'change':
      return write(tools, author, step, entity, state => {
        const decided = state.status === 'live' ? decideChange(entity, state, step.fields) : undefined
        return decided?.ok ? decided.value.map(from(step.source)) : []
      })
    case 'remove':
      return write(tools, author, step, entity, state =>
        state.status === 'live' ? decideRemove(entity, atRest(state.fields)).map(from(step.source)) : [],
      )
    case 'restore':
      return write(tools, author, step, entity, state =>
        state.status === 'removed'
          ? decideRestore(entity, state, step.fields, state.revision).map(from(step.source))
          : [],
      )
    case 'bringback':
      return bringBack(tools, author, step, entity)
    case 'sweep':
      return sweep(tools, author, step, entity, how)
    case 'publish':
      return write(tools, author, step, entity, state => publication(entity, state, step.flowrevision, author.time))
    case 'record':
      return write(tools, author, step, entity, state =>
        state.status === 'live' ? [eventOf(entity, step.verb, { fields: step.fields })] : [],
      )
    case 'copyflow':
      return copyFlow(tools, author, step, how.ids)
    case 'keepversion':
      return keepVersion(tools, author, step)
    case 'supersede':
      return supersede(tools, author, step)
    case 'applyflow':
      return applyFlow(tools, author, step, how.ids)
    default:
      return step satisfies never
  }
}

const DRAWING: ReadonlySet<Step['do']> = new Set(['copyflow', 'applyflow', 'renameinflow', 'replaceinflow'])

const streamOf = ({ do: deed, entity, id }: Step): string =>
  DRAWING.has(deed) ? flowStream(id) : entityStream(entity, id)

type Decide = (state: EntityState) => readonly DomainEvent[]

const write = async (
  tools: Tools,
  author: Author,
  { id, ...step }: Step,
  entity: EntityDeclaration,
  decide: Decide,
): Promise<Refusal | undefined> => {
  const reserved: Run['reserved'] = new Map()
  for (let copy = 1; ; copy += 1) {
    const loaded = await tools.loader.load(entity, id, { fresh: true })
    const { state } = loaded
    if (isOutdated(step, state)) {
      const stream = entityStream(entity.name, id)
      // Unless another node has just taken this very step.
      if ((await writtenIn(tools.store, author.seed, stream)) !== undefined) return undefined
      throw new PlanOutdated(stream, step.only ?? 0, state.revision)
    }
    const level =
      'level' in step ? step.level : state.status === 'live' || state.status === 'removed' ? state.level : null
    const events = decide(state).map(event => named(entity, event, copy))
    const committed = await commit(tools, { author, reserved }, { entity, id, level, loaded }, events)
    if (committed.ok) return undefined
    if (committed.refusal.code !== 'entity.name.taken') throw new Error(`step refused: ${committed.refusal.code}`)
  }
}

const isOutdated = <S extends object>(step: S, { revision }: EntityState): step is S & { readonly only?: number } =>
  'only' in step && step.only !== undefined && step.only !== revision

/** A name that somebody took meanwhile gets a number, so that no process is ever stuck. */
const named = (entity: EntityDeclaration, event: DomainEvent, copy: number): DomainEvent => {
  const name = event.data.fields[entity.title]
  if (copy === 1 || typeof name !== 'string') return event
  return withFields(event, { ...event.data.fields, [entity.title]: `${name} (${copy})` })
}

const from = (source: EventSource | undefined) => (event: DomainEvent) =>
  source === undefined ? event : withSource(event, source)

/** What was running runs no more. */
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
  tools: Tools,
  author: Author,
  { id, input }: Extract<Step, { do: 'bringback' }>,
  entity: EntityDeclaration,
): Promise<Refusal | undefined> => {
  const command = { entity: entity.name, action: 'restore', id, input, caller: SYSTEM, correlation: author.correlation }
  const run: Run = { command, entity, author, reserved: new Map(), isRepeated: false }
  const result: Result<unknown> = await restore(freshly(tools), run)
  if (result.ok) return undefined
  for (const [stream, owner] of run.reserved) await tools.reservation.release(author, owner, stream)
  return result.refusal
}

const sweep = async (
  tools: Tools,
  author: Author,
  step: Step,
  entity: EntityDeclaration,
  how: How,
): Promise<undefined> => {
  await lookedUp(tools)
  const source = { kind: entity.name, id: step.id }
  for (const thing of await everythingIn(tools, { entity, id: step.id })) {
    const seed = `${author.seed}:${thing.id}`
    const removal: Step = { do: 'remove', entity: thing.entity.name, id: thing.id, source }
    await perform(tools, { ...author, seed }, removal, how)
  }
}

const copyFlow = async (
  tools: Tools,
  author: Author,
  { id, entity, from, revision }: Extract<Step, { do: 'copyflow' }>,
  ids: How['ids'],
): Promise<undefined> => {
  const state = await tools.flows.storedAt(from, revision)
  if (state === undefined) return
  const copied = await flowFile(tools.flows, state, entityHasScript(entity))
  const { js: script, ...file } = withIds(copied, ids)
  const source = { kind: 'duplicate' as const, from, revision }
  await changeFlow(tools.flows, id, author, { kind: 'file', file, script, origin: 'duplicate' }, source)
}
