import type { Live } from '#domain/behaviour.ts'
import { initialFields } from '#domain/entity.ts'
import { same } from '#domain/json-equal.ts'
import { versionedValues } from '#domain/version.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import { isVersioned } from '#schemas/versioned.ts'
import { entityHasScript } from '../flow/patch-whole.ts'
import type { Pieces } from '../packed-text.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { awaitLookup } from '../process/contents.ts'
import { Slices } from '../slices.ts'
import { placeThings } from './place-things.ts'
import { type VersionValues, versionValues } from './version-values.ts'
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
  /** Names of what it lies in, within the bot. */
  readonly within: readonly string[]
  readonly state: 'added' | 'changed' | 'removed'
  /** Fields of a thing that changes. */
  readonly changes: readonly Change[]
  /** Of its flow. */
  readonly summary?: Summary
}

/** What applying a version would change; what stays as it is, is left out. */
export interface Preview {
  readonly things: readonly PreviewedThing[]
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
  const things: PreviewedThing[] = []
  const slices = new Slices()
  for (const values of await versionValues(context, placement, { bot: bot.id, caller, isUploaded })) {
    const changed = await changedThing(context, content, values)
    if (changed !== undefined) things.push(changed)
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
  return { things }
}

const nameOf = ({ title }: EntityDeclaration, fields: JsonObject): string => String(fields[title] ?? '')

const changedThing = async (
  context: CommandContext,
  content: OpenedVersion,
  values: VersionValues,
): Promise<PreviewedThing | undefined> => {
  const { placed } = values
  const { entity, thing, as, present, parent } = placed
  const id = as === 'present' ? placed.id : undefined
  const changes = id === undefined ? [] : changesOf(values)
  const drawn = entity.flow && drawingOf(content, thing)
  const summary = drawn && (await flowSummary(context, id, drawn, entityHasScript(entity)))
  if (id !== undefined && changes.length === 0 && summary === undefined) return undefined
  return {
    entity: entity.name,
    id: id ?? thing.id ?? null,
    name: nameOf(entity, { ...present, ...thing }),
    within: parent.names,
    state: id === undefined ? 'added' : 'changed',
    changes,
    ...(drawn === undefined ? {} : { summary: summary ?? NOTHING }),
  }
}

/** Against what a version taken now would hold: nothing that it leaves out is shown. */
const changesOf = ({ placed: { entity, present }, plain, references }: VersionValues): readonly Change[] => {
  const held = versionedValues(entity, { ...initialFields(entity), ...present })
  return Object.entries({ ...plain, ...references }).flatMap(([path, after]) => {
    const before = held[path] ?? null
    return same(before, after) ? [] : [{ path, before, after }]
  })
}

/** What making a flow, or an empty one, say this would do to it. */
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
