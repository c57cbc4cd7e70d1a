import type { Live } from '#domain/behaviour.ts'
import { initialFields } from '#domain/entity.ts'
import { carriedFlow, versionedValues } from '#domain/version.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import { jsonEqual } from '#schemas/json.ts'
import { isVersioned, VERSION_ROOT } from '#schemas/versioned.ts'
import { entityHasScript } from '../flow/flow-document.ts'
import type { Pieces } from '../packed-text.ts'
import { awaitLookup, type CommandContext } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { TimeSlicer } from '../time-slicer.ts'
import { placeThings } from './place-things.ts'
import { isForeign, type VersionValues, versionValues } from './version-values.ts'
import { drawingOf, type OpenedVersion } from './version-work.ts'

type Summary = Pick<FlowSummary, 'added' | 'changed' | 'removed'>

interface Change {
  readonly path: string
  readonly before: Json
  readonly after: Json
}

interface PreviewedThing {
  readonly entity: string
  /** Of the present one; of the version where there is none. */
  readonly id: string | null
  readonly name: string
  /** Names of its parents, within the bot. */
  readonly within: readonly string[]
  readonly state: 'added' | 'changed' | 'removed'
  /** Fields of a thing that changes. */
  readonly changes: readonly Change[]
  /** Of its flow. */
  readonly summary?: Summary
  /** Applying publishes its flow: it was published in the other bot. */
  readonly publishes?: true
}

/** Fields of a thing that a version of another bot does not change: their values belong to the environment. */
interface StayingFields extends Pick<PreviewedThing, 'entity' | 'id' | 'name' | 'within'> {
  readonly fields: readonly string[]
}

/** Changes made by applying a version, and its differing values that are not applied. */
export interface Preview {
  readonly things: readonly PreviewedThing[]
  readonly stays: readonly StayingFields[]
}

interface Previewed {
  readonly version: Live
  readonly bot: Live
  readonly content: OpenedVersion
  readonly caller: Caller
}

const NO_DRAWING: Pieces = []
const NOTHING: Summary = { added: [], changed: [], removed: [] }

export const previewVersion = async (
  context: CommandContext,
  { version, bot, content, caller }: Previewed,
): Promise<Preview> => {
  await awaitLookup(context)
  const placement = await placeThings(context, { file: content.file, bot, seed: version.id })
  const isUploaded = version.fields.uploaded === true
  const foreign = isForeign(placement)
  const things: PreviewedThing[] = []
  const stays: StayingFields[] = []
  const slices = new TimeSlicer()
  for (const values of await versionValues(context, placement, { bot: bot.id, caller, isUploaded })) {
    const changed = await changedThing(context, content, values, foreign)
    if (changed !== undefined) things.push(changed)
    if (values.stays.length > 0) stays.push({ ...identityOf(values.placed), fields: values.stays })
    await slices.pause()
  }
  for (const { entity, state, names } of placement.surplus) {
    if (!isVersioned(entity)) continue
    await slices.pause()
    const summary = entity.flow && ((await flowSummary(context, state.id, NO_DRAWING, false)) ?? NOTHING)
    things.push({
      entity: entity.name,
      id: state.id,
      name: nameOf(entity, state.fields),
      within: names,
      state: 'removed',
      changes: [],
      ...(summary && { summary }),
    })
  }
  return { things, stays }
}

const nameOf = ({ title }: EntityDeclaration, fields: JsonObject): string => String(fields[title] ?? '')

/** Of the present thing, and of the version where there is none. */
const identityOf = ({ entity, thing, as, id, present, parent }: VersionValues['placed']) => ({
  entity: entity.name,
  id: as === 'present' ? id : (thing.id ?? null),
  // A version does not rename its bot.
  name: nameOf(entity, entity.name === VERSION_ROOT ? (present ?? {}) : { ...present, ...thing }),
  within: parent.names,
})

/** Whether what runs becomes another, or begins to run. */
const isNews = async ({ flows }: CommandContext, { id, present }: VersionValues['placed']): Promise<boolean> =>
  present?.published !== true || present.publishedrevision !== (await flows.revision(id))

const changedThing = async (
  context: CommandContext,
  content: OpenedVersion,
  values: VersionValues,
  foreign: boolean,
): Promise<PreviewedThing | undefined> => {
  const { placed } = values
  const { entity, thing, as } = placed
  const id = as === 'present' ? placed.id : undefined
  const changes = id === undefined ? [] : changesOf(values)
  const carried = carriedFlow(thing, foreign)
  const drawn = entity.flow && drawingOf(content, carried)
  const summary = drawn && (await flowSummary(context, id, drawn, entityHasScript(entity)))
  const publishes = carried.isReleased && (id === undefined || summary !== undefined || (await isNews(context, placed)))
  if (id !== undefined && changes.length === 0 && summary === undefined && !publishes) return undefined
  return {
    ...identityOf(placed),
    state: id === undefined ? 'added' : 'changed',
    changes,
    ...(drawn === undefined ? {} : { summary: summary ?? NOTHING }),
    ...(publishes ? { publishes } : {}),
  }
}

/** Against what a version taken now would hold: nothing that it leaves out is shown. */
const changesOf = ({ placed: { entity, present }, plain, references }: VersionValues): readonly Change[] => {
  const held = versionedValues(entity, { ...initialFields(entity), ...present })
  return Object.entries({ ...plain, ...references }).flatMap(([path, after]) => {
    const before = held[path] ?? null
    return jsonEqual(before, after) ? [] : [{ path, before, after }]
  })
}

/** Summary of replacing a flow, or an empty one, with this drawing. */
const flowSummary = async (
  { flows }: CommandContext,
  id: string | undefined,
  drawing: Pieces,
  hasScript: boolean,
): Promise<Summary | undefined> => {
  const state = id === undefined ? [] : (await flows.stored(id)).state
  const change = { kind: 'drawing', drawing, hasScript, ids: {}, origin: 'preview' } as const
  const { written: made } = await flows.work.perform({ do: 'change', state, change, isFirst: false })
  if (made === null) return undefined
  const { added, changed, removed } = made.summary
  return { added, changed, removed }
}
