import { filesIn, withFiles, withoutFiles } from '#domain/field/file-values.ts'
import { same } from '#domain/json-equal.ts'
import { versionedValues } from '#domain/version.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import type { FileValue } from '#schemas/field/value-schema.ts'
import { environmentFields, VERSION_ROOT } from '#schemas/versioned.ts'
import { uploadOf } from '../file/claim-files.ts'
import type { Cleared } from '../lookup/dangling-reference.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { Slices } from '../slices.ts'
import type { PlacedThing, Placement } from './place-things.ts'
import { referenceResolver } from './version-references.ts'

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
  as === 'new' ? !isEmpty(value) : !same(versionedValues(entity, present ?? {})[name] ?? initial, value)

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
  const slices = new Slices()
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
