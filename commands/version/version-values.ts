import { parentIn } from '#domain/entity.ts'
import { filesIn, withFiles, withoutFiles } from '#domain/field/stored-items.ts'
import { versionedValues } from '#domain/version.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import type { FileValue } from '#schemas/field/value-schema.ts'
import { jsonEqual } from '#schemas/json.ts'
import { environmentFields, isVersioned, VERSION_ROOT } from '#schemas/versioned.ts'
import { type Cleared, uploadOf } from '../lookup/reference.ts'
import { type CommandContext, isVisible, loadThing } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { TimeSlicer } from '../time-slicer.ts'
import type { PlacedThing, Placement } from './place-things.ts'

/** A reference field of a version as it can be set in the bot. */
interface ResolvedReference {
  /** Undefined: the bot's value stays. */
  readonly value: Json | undefined
  /** Ids of the version that point at nothing which the bot could point at. */
  readonly cleared: readonly string[]
}

/**
 * Resolves references of a version to targets in the bot. Entities of the version get their ids here; a target outside
 * of the bot stays if it exists and the caller may see it.
 */
const referenceResolver = (
  context: CommandContext,
  caller: Caller,
  bot: string,
  { ids, surplus }: Pick<Placement, 'ids' | 'surplus'>,
) => {
  const removed = new Set(surplus.map(({ state }) => state.id))

  /** The versioned root of an entity; undefined without one. */
  const rootOf = async (entity: EntityDeclaration, id: string): Promise<string | undefined> => {
    if (entity.name === VERSION_ROOT) return id
    const { state } = await loadThing(context, entity, id)
    const parent = state.status === 'live' ? parentIn(entity, state.fields) : undefined
    const above = parent === undefined ? undefined : context.entityOf(parent)
    if (state.status !== 'live' || parent === undefined || above === undefined) return undefined
    return rootOf(above, String(state.fields[parent]))
  }

  const hereOf = async (target: EntityDeclaration, id: string): Promise<string | undefined> => {
    if (Object.hasOwn(ids, id)) return ids[id]
    const { state } = await loadThing(context, target, id)
    if (state.status !== 'live' || removed.has(id) || !isVisible(caller, target, state)) return undefined
    const root = await rootOf(target, id)
    return root === undefined || root === bot ? id : undefined
  }

  return async ({ entity, as }: PlacedThing, name: string, value: Json): Promise<ResolvedReference> => {
    const target = context.entityOf(entity.fields[name]?.to ?? '')
    if (target === undefined) return { value: undefined, cleared: [] }
    const given = (Array.isArray(value) ? value : [value]).filter(id => typeof id === 'string')
    const here: string[] = []
    const cleared: string[] = []
    for (const id of given) {
      const found = await hereOf(target, id)
      if (found === undefined) cleared.push(id)
      else here.push(found)
    }
    // Of another installation, or gone since: the bot keeps what it has.
    if (cleared.length > 0 && as !== 'new' && !isVersioned(target)) return { value: undefined, cleared: [] }
    return { value: Array.isArray(value) ? here : (here[0] ?? null), cleared }
  }
}

/** Values set in one entity by a version. */
export interface VersionValues {
  readonly placed: PlacedThing
  readonly plain: JsonObject
  /** References to other things: they can be set once all of those are there. */
  readonly references: JsonObject
  /** Set when the thing is made and never after. */
  readonly fixed: JsonObject
  readonly cleared: readonly Cleared[]
  /** Fields whose value belongs to the environment and differs in the version: they stay as they are. */
  readonly stays: readonly string[]
}

const NO_FIELDS: ReadonlySet<string> = new Set()

const isEmpty = (value: Json): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Whether a version has another value; a new thing has none, so any value counts. */
const differs = ({ as, entity, present }: PlacedThing, name: string, { initial }: Field, value: Json): boolean =>
  as === 'new' ? !isEmpty(value) : !jsonEqual(versionedValues(entity, present ?? {})[name] ?? initial, value)

/** Whether a version was taken of another bot than this one. */
export const isForeign = ({ placed: [root] }: Pick<Placement, 'placed'>): boolean => root?.thing.id !== root?.id

interface Applied {
  readonly bot: string
  readonly caller: Caller
  /** An uploaded file may name files that its uploader may not be allowed to read. */
  readonly isUploaded: boolean
}

/** The fields that a version sets in the things of a bot, ids and files as they are here. */
export const versionValues = async (
  context: CommandContext,
  placement: Placement,
  { bot, caller, isUploaded }: Applied,
): Promise<readonly VersionValues[]> => {
  const resolve = referenceResolver(context, caller, bot, placement)
  const foreign = isForeign(placement)
  const valuesOf = async (placed: PlacedThing): Promise<VersionValues> => {
    const { entity, thing, id, as } = placed
    const given = versionedValues(entity, thing)
    const parts = { plain: {}, references: {}, fixed: {} } as Record<
      'plain' | 'references' | 'fixed',
      Record<string, Json>
    >
    const own = foreign ? environmentFields(entity, as === 'new') : NO_FIELDS
    const stays: string[] = []
    const cleared: Cleared[] = []
    for (const [name, held] of Object.entries(given)) {
      const field = entity.fields[name]
      const isOwnName = entity.name === VERSION_ROOT && name === entity.title
      if (field === undefined || isOwnName || (field.fixed && as !== 'new')) continue
      const value = held ?? field.initial
      if (own.has(name)) {
        if (differs(placed, name, field, value)) stays.push(name)
        if (as === 'new') parts.plain[name] = field.initial
        continue
      }
      if (field.to === undefined) {
        parts[field.fixed ? 'fixed' : 'plain'][name] = value
        continue
      }
      const resolved = await resolve(placed, name, value)
      cleared.push(...resolved.cleared.map(gone => ({ path: name, id: gone, of: { entity: entity.name, id } })))
      if (resolved.value !== undefined) parts[field.fixed ? 'fixed' : 'references'][name] = resolved.value
    }
    if (!isUploaded) return { placed, ...parts, cleared, stays }
    const { values, lost } = await withOwnFiles(context, caller, placed, parts.plain)
    const of = { entity: entity.name, id }
    return { placed, ...parts, plain: values, cleared: [...cleared, ...lost.map(one => ({ ...one, of }))], stays }
  }
  const all: VersionValues[] = []
  const slices = new TimeSlicer()
  for (const placed of placement.placed) {
    all.push(await valuesOf(placed))
    await slices.pause()
  }
  return all
}

/** Files that the thing holds or the caller has uploaded, as they are stored; no others. */
const withOwnFiles = async (
  context: CommandContext,
  caller: Caller,
  { entity, present }: PlacedThing,
  values: JsonObject,
) => {
  const held = new Map(filesIn(entity.fields, present ?? {}).map(({ file }) => [file.id, file]))
  const lost: { path: string; id: string }[] = []
  const kept = new Map<string, FileValue>()
  for (const { path, file } of filesIn(entity.fields, values)) {
    const stored = held.get(file.id) ?? (await uploadOf(context.files, caller, file.id))
    if (stored === undefined) lost.push({ path, id: file.id })
    else kept.set(path, stored)
  }
  return { values: withoutFiles(withFiles(values, kept), new Set(lost.map(({ path }) => path))), lost }
}
