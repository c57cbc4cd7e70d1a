import type { Live } from '#domain/behaviour.ts'
import { initialFields } from '#domain/entity.ts'
import { filesIn } from '#domain/field/stored-items.ts'
import { parseInput } from '#domain/field/validate.ts'
import { carriedFlow, thingAt, type VersionPath } from '#domain/version.ts'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import { UNTESTED } from '#schemas/entities/flow-action.ts'
import { version as versionEntity } from '#schemas/entities/version.ts'
import { actionInputSchema, type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { EventSource, ProcessPlan, Step } from '#schemas/events/entity.ts'
import { type FlowSource, flowStream } from '#schemas/events/flow.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { isVersioned, versionMember } from '#schemas/versioned.ts'
import { type ReleaseDifference, runGatingTests } from '../conversation-test/conversation-test-facts.ts'
import type { ComingFlow, PendingEntity } from '../conversation-test/conversation-test-port.ts'
import { changeFlow } from '../flow/flow-change.ts'
import { entityHasScript } from '../flow/flow-document.ts'
import type { Cleared } from '../lookup/reference.ts'
import { type Author, derivedId } from '../pipeline/append.ts'
import {
  type Attempt,
  awaitLookup,
  type CommandContext,
  checkConfirmation,
  loadLiveTarget,
} from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { runProcess } from '../process/process-report.ts'
import { TimeSlicer } from '../time-slicer.ts'
import { readContent } from './content.ts'
import { type Placement, placeThings } from './place-things.ts'
import { checkApply } from './version-rights.ts'
import { isForeign, type VersionValues, versionValues } from './version-values.ts'
import { drawingOf, type OpenedVersion } from './version-work.ts'

interface Applied {
  readonly version: Live
  readonly content: OpenedVersion
  readonly bot: Live
  readonly caller: Caller
  /** Everything new gets its id from this. */
  readonly seed: string
}

type Plan = Required<Pick<ProcessPlan, 'steps' | 'ids'>> & {
  readonly cleared: readonly Cleared[]
  /** Changes that the bot's tests must pass with. */
  readonly becomes: ReleaseDifference
}

/**
 * All steps that make a bot what a version has: the present state is kept, what the version lacks is removed, names in
 * the way give way, things are made, brought back or changed, flows are replaced in place, references come last.
 */
const planApply = async (context: CommandContext, { version, content, bot, caller, seed }: Applied): Promise<Plan> => {
  const source = { kind: 'version', id: version.id }
  const { file } = content
  const placement = await placeThings(context, { file, bot, seed })
  const isUploaded = version.fields.uploaded === true
  const [root, ...inside] = await versionValues(context, placement, { bot: bot.id, caller, isUploaded })
  const all = root === undefined ? inside : [...inside, root]
  if (isUploaded) await keepFiles(context, all)
  const kept = { entity: 'version', id: derivedId(seed, 'kept'), bot: bot.id }
  const steps: Step[] = [
    { do: 'keepversion', ...kept, name: `${file.name} ↩` },
    { do: 'supersede', ...kept },
    ...clearing(placement, source),
    ...inside.map(values => making(values, bot.level, source)),
    ...flowSteps(placement, version.id),
    ...inside.flatMap(({ placed, references }) => changing(placed, references, source)),
    ...(root === undefined ? [] : changing(root.placed, { ...root.plain, ...root.references }, source)),
    ...(await publishing(context, placement, version.id)),
    ...clearingHolders(context, placement),
  ]
  const ids = Object.fromEntries(Object.entries(placement.ids).filter(([there, here]) => there !== here))
  const becomes = {
    without: placement.surplus.map(({ state }) => state.id),
    coming: comingFlows(placement, content, ids),
    rows: await comingRows(placement, all),
  }
  return { steps, ids, cleared: all.flatMap(({ cleared }) => cleared), becomes }
}

/** The flows that are published by applying. */
const comingFlows = (
  placement: Placement,
  content: OpenedVersion,
  ids: Plan['ids'],
): Readonly<Record<string, ComingFlow>> =>
  Object.fromEntries(
    placement.placed.flatMap(({ entity, id, thing }): [string, ComingFlow][] => {
      const carried = carriedFlow(thing, isForeign(placement))
      const drawing = drawingOf(content, carried)
      if (entity.flow === undefined || drawing === undefined || !carried.isReleased) return []
      const kind = entity.flow.script ? 'handler' : 'dialog'
      return [[id, { kind, name: String(thing[entity.title] ?? ''), slow: thing.slow === true, drawing, ids }]]
    }),
  )

const comingRows = async ({ surplus }: Placement, all: readonly VersionValues[]): Promise<readonly PendingEntity[]> => {
  const rows: PendingEntity[] = surplus.map(({ entity, state }) => ({
    entity: entity.name,
    id: state.id,
    fields: null,
  }))
  const slices = new TimeSlicer()
  for (const { placed, plain, references, fixed } of all) {
    const { entity, id, present, parent } = placed
    const above = parentField(entity)
    const place = above === undefined ? {} : { [above]: parent.id }
    const fields = { ...initialFields(entity), ...present, ...plain, ...references, ...fixed, ...place }
    rows.push({ entity: entity.name, id, fields })
    await slices.pause()
  }
  return rows
}

const keepFiles = async (context: CommandContext, all: readonly VersionValues[]): Promise<void> => {
  for (const { placed, plain, fixed } of all)
    for (const { file } of filesIn(placed.entity.fields, { ...plain, ...fixed })) await context.files.keep(file.id)
}

const clearing = ({ surplus, occupied }: Placement, source: EventSource): readonly Step[] => [
  ...surplus.map(({ entity, state }): Step => ({ do: 'remove', entity: entity.name, id: state.id, source })),
  ...occupied.map(({ entity, id, field }): Step => {
    return { do: 'change', entity: entity.name, id, fields: { [field]: `~${id}` }, source }
  }),
]

/** Sets its name and parent: references to other entities of the version follow once all of them exist. */
const making = ({ placed, plain, fixed }: VersionValues, level: string | null, source: EventSource): Step => {
  const { entity, id, as, parent } = placed
  const on = { entity: entity.name, id }
  switch (as) {
    case 'present':
      return { do: 'change', ...on, fields: plain, source }
    case 'removed':
      return { do: 'restore', ...on, fields: plain, source }
    case 'new':
      return {
        do: 'create',
        ...on,
        level,
        fields: { ...plain, ...fixed, [parentField(entity) ?? '']: parent.id },
        source,
      }
    default:
      return as satisfies never
  }
}

const changing = ({ entity, id }: VersionValues['placed'], fields: Live['fields'], source: EventSource): Step[] =>
  Object.keys(fields).length === 0 ? [] : [{ do: 'change', entity: entity.name, id, fields, source }]

const flowSteps = (placement: Placement, version: string): readonly Step[] =>
  placement.placed.flatMap(({ entity, id, path, thing }): Step[] => {
    if (entity.flow === undefined || thing.flow === undefined) return []
    const { isReleased } = carriedFlow(thing, isForeign(placement))
    const part = isReleased ? ({ part: 'release' } as const) : {}
    return [{ do: 'applyflow', entity: entity.name, id, version, path, ...part }]
  })

/** Flows published in the other bot are published here. */
const publishing = async ({ flows }: CommandContext, placement: Placement, version: string): Promise<Step[]> => {
  const steps: Step[] = []
  for (const { entity, id, as, thing } of placement.placed) {
    if (entity.flow === undefined || thing.flow === undefined) continue
    if (!carriedFlow(thing, isForeign(placement)).isReleased) continue
    const drawn = as === 'new' ? 0 : await flows.revision(id)
    steps.push({ do: 'publishapplied', entity: entity.name, id, version, drawn })
  }
  return steps
}

/** Things that versions do not change may refer to what they remove; comments are read with their flow. */
const clearingHolders = ({ entities }: CommandContext, { surplus }: Placement): readonly Step[] => {
  const holders = Object.values(entities).filter(holder => !isVersioned(holder) && holder.rights === undefined)
  const targets = new Set(holders.flatMap(({ fields }) => Object.values(fields).flatMap(({ to }) => to ?? [])))
  return surplus
    .filter(({ entity }) => targets.has(entity.name))
    .map(({ entity, state }): Step => ({ do: 'clearholders', entity: entity.name, id: state.id }))
}

const reasonSchema = actionInputSchema({ icon: '', on: [], input: { reason: UNTESTED } })

/** Sets the bot to the content of a version, as one process; `untested`: with a reason, regardless of its tests. */
const applyOf =
  (untested: boolean): Attempt =>
  async (context, run) => {
    const target = await loadLiveTarget(context, run)
    if (!target.ok) return target
    const { id } = target.value.state
    const { reason, ...rest } = run.command.input
    const certain = checkConfirmation(untested ? rest : run.command.input, true)
    if (!certain.ok) return certain
    const why = untested ? parseInput(reasonSchema, { reason: reason ?? null }) : undefined
    if (why?.ok === false) return why
    const whole = await contentFor(context, target.value.state)
    if (!whole.ok) return whole
    const { content, bot } = whole.value
    await awaitLookup(context)
    const seed = derivedId(run.author.seed, 'apply')
    const { caller } = run.command
    const { steps, ids, cleared, becomes } = await planApply(context, {
      ...{ version: target.value.state, content, bot, caller, seed },
    })
    const permitted = await checkApply(context, caller, steps)
    if (!permitted.ok) return permitted
    const failed = untested ? [] : await runGatingTests(context, bot.id, becomes)
    if (failed.length > 0) return refused('test.failed', { params: { count: failed.length }, errors: failed })
    const told = untested ? String(reason) : null
    const changed = told === (target.value.state.fields.untestedreason ?? null) ? {} : { untestedreason: told }
    const fields = { applied_at: run.author.time, ...changed }
    const last = { do: 'record', entity: versionEntity.name, id, verb: 'Applied', fields } as const
    const result = cleared.length === 0 ? {} : { cleared: [...cleared] }
    return runProcess(context, run, { kind: 'apply', root: bot.id, steps: [...steps, last], ids }, id, () => result)
  }

export const applyVersion = applyOf(false)
export const applyVersionUntested = applyOf(true)

/** A version's content and the bot it belongs to. */
export const contentFor = async (
  context: CommandContext,
  version: Live,
): Promise<Result<{ content: OpenedVersion; bot: Live }>> => {
  const { state } = await context.loader.load(botEntity, String(version.fields.bot))
  if (state.status !== 'live') return refused('entity.parent')
  const content = await openContent(context, version)
  if (content === undefined) return refused('version.format')
  return content.ok ? accepted({ content: content.value, bot: state }) : content
}

/** The opened content of a version; undefined when nothing complete was stored. */
export const openContent = async (
  context: CommandContext,
  { id, level, fields: { size, bot } }: Live,
): Promise<Result<OpenedVersion> | undefined> => {
  const packed = await readContent(context, id)
  if (packed === undefined) return undefined
  const stored = { packed, size: typeof size === 'number' ? size : Number.POSITIVE_INFINITY }
  return context.versions.open(stored, { level: level ?? '', bot: String(bot) })
}

/** The content opened last: all steps of one process use the same. */
const newest = new WeakMap<CommandContext, { readonly version: string; readonly content: OpenedVersion }>()

const contentOf = async (context: CommandContext, version: string): Promise<OpenedVersion | undefined> => {
  const known = newest.get(context)
  if (known?.version === version) return known.content
  const { state } = await context.loader.load(versionEntity, version)
  if (state.status !== 'live' && state.status !== 'removed') return undefined
  const opened = await openContent(context, { ...state, status: 'live' })
  // The process tries again later.
  if (opened?.ok === false) throw new Error(`version ${version} could not be opened: ${opened.refusal.code}`)
  if (opened !== undefined) newest.set(context, { version, content: opened.value })
  return opened?.value
}

type ApplyFlow = Extract<Step, { do: 'applyflow' }>

const pathOf = (step: ApplyFlow, entity: EntityDeclaration): VersionPath =>
  'path' in step ? step.path : ['dialogtasks', step.task, versionMember(entity), step.index]

/** The step that makes one flow what a version has, in place. */
export const applyFlow = async (
  context: CommandContext,
  author: Author,
  step: ApplyFlow,
  entity: EntityDeclaration,
  ids: Readonly<Record<string, string>>,
): Promise<undefined> => {
  const { id, version } = step
  const content = await contentOf(context, version)
  const path = pathOf(step, entity)
  const thing = content && thingAt(content.file, path)
  const drawing = thing && drawingOf(content, carriedFlow(thing, 'part' in step && step.part === 'release'))
  if (drawing === undefined) throw new Error(`version ${version} has no flow at ${path.join('.')}`)
  const change = { kind: 'drawing', drawing, hasScript: entityHasScript(entity), ids, origin: 'version' } as const
  await changeFlow(context.flows, id, author, change, { kind: 'version', version })
}

/** The revision to which applying a version brought a flow; `drawn` where it changed nothing. */
export const appliedRevision = async (
  { store }: Pick<CommandContext, 'store'>,
  { id, version, drawn }: Extract<Step, { do: 'publishapplied' }>,
): Promise<number> => {
  for await (const { revision, data } of store.read(flowStream(id), { direction: 'backwards' })) {
    if (revision <= drawn) return drawn
    const source = data.source as FlowSource | undefined
    if (source?.kind === 'version' && source.version === version) return revision
  }
  return drawn
}
