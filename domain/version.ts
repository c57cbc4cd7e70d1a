import { type EntityDeclaration, isSingle } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import { foldName } from '#schemas/fold-text.ts'
import type { VersionFile, VersionThing } from '#schemas/version-file.ts'
import { VERSION_ROOT, versionedChildren, versionFields, versionMember } from '#schemas/versioned.ts'
import type { Live } from './behaviour.ts'
import { itemsOf } from './field/stored-items.ts'

type Entities = Readonly<Record<string, EntityDeclaration>>

/** Members and places that lead to a thing of a version file: `['dialogtasks', 0, 'dialogs', 1]`. */
export type VersionPath = readonly (string | number)[]

/** The things of one entity that a version has in one place; undefined where the version does not know of them. */
export const thingsOf = (
  child: EntityDeclaration,
  within: VersionFile | VersionThing,
): readonly VersionThing[] | undefined => {
  const member = versionMember(child)
  const value = Object.hasOwn(within, member) ? within[member] : undefined
  if (value === undefined || value === null) return undefined
  return isSingle(child) ? itemsOf([value]) : itemsOf(value)
}

/** Path of a thing within its parent. */
export const pathIn = (child: EntityDeclaration, parent: VersionPath, index: number): VersionPath =>
  isSingle(child) ? [...parent, versionMember(child)] : [...parent, versionMember(child), index]

export interface ThingInFile {
  readonly entity: EntityDeclaration
  readonly thing: VersionThing
  readonly path: VersionPath
}

/** Everything that a version file holds besides the bot itself, what contains before what it contains. */
export const thingsIn = (entities: Entities, file: VersionFile): readonly ThingInFile[] => {
  const below = (entity: EntityDeclaration, within: VersionFile | VersionThing, path: VersionPath): ThingInFile[] =>
    versionedChildren(entities, entity).flatMap(child =>
      (thingsOf(child, within) ?? []).flatMap((thing, index) => {
        const at = pathIn(child, path, index)
        return [{ entity: child, thing, path: at }, ...below(child, thing, at)]
      }),
    )
  const root = entities[VERSION_ROOT]
  return root === undefined ? [] : below(root, file, [])
}

type Mapper = (entity: EntityDeclaration, thing: VersionThing, path: VersionPath) => JsonObject

/** The file without secrets that were written into it by hand, and with what `change` answers in place of its things' members. */
export const mapThings = (entities: Entities, file: VersionFile, change: Mapper): VersionFile => {
  const open = (entity: EntityDeclaration, thing: VersionThing): VersionThing => {
    const values = versionedValues(entity, thing)
    const others = Object.entries(thing).filter(([member]) => !Object.hasOwn(entity.fields, member))
    return { ...Object.fromEntries(others), ...values }
  }
  const mapped = (entity: EntityDeclaration, thing: VersionThing, path: VersionPath): VersionThing => ({
    ...open(entity, thing),
    ...change(entity, thing, path),
    ...below(entity, thing, path),
  })
  const below = (entity: EntityDeclaration, within: VersionFile | VersionThing, path: VersionPath): JsonObject =>
    Object.fromEntries(
      versionedChildren(entities, entity).flatMap((child): [string, Json][] => {
        const things = thingsOf(child, within)?.map((thing, index) => mapped(child, thing, pathIn(child, path, index)))
        if (things === undefined) return []
        return [[versionMember(child), isSingle(child) ? (things[0] ?? null) : things]]
      }),
    )
  const root = entities[VERSION_ROOT]
  return root === undefined ? file : { ...file, bot: open(root, file.bot), ...below(root, file, []) }
}

/** The thing of a version file at a path; undefined when there is none. */
export const thingAt = (file: VersionFile, path: VersionPath): VersionThing | undefined => {
  const at = path.reduce<Json | undefined>((value, step) => {
    if (typeof value !== 'object' || value === null) return undefined
    return (value as { readonly [step: string | number]: Json })[step]
  }, file)
  return itemsOf([at ?? null])[0]
}

export interface CarriedFlow {
  readonly flow: Json | undefined
  readonly js: Json | undefined
  /** It was published where the version was taken, and so it is where the version is applied. */
  readonly isReleased: boolean
}

/** The flow that a version brings: of the same bot its drawing, of another bot the published one where there is one. */
export const carriedFlow = (thing: VersionThing, isForeign: boolean): CarriedFlow => {
  const [release] = isForeign ? itemsOf([thing.release ?? null]) : []
  return { flow: release?.flow ?? thing.flow, js: release?.js ?? thing.js, isReleased: release !== undefined }
}

/** Values of a thing in a version: no secrets, not even in items of a list. */
export const versionedValues = (entity: EntityDeclaration, values: JsonObject): JsonObject =>
  Object.fromEntries(
    versionFields(entity).flatMap(name => {
      const field = entity.fields[name]
      const value = values[name]
      const isSecret = field?.secretWhen !== undefined && values[field.secretWhen] === true
      return field === undefined || value === undefined || isSecret ? [] : [[name, withoutSecrets(field, value)]]
    }),
  )

const withoutSecrets = (field: Field, value: Json): Json => {
  if (field.kind !== 'list' || !Array.isArray(value)) return value
  const isOpen = ([name]: [string, Json]) => field.item[name]?.secret !== true
  return itemsOf(value).map(item => Object.fromEntries(Object.entries(item).filter(isOpen)))
}

/** Which thing of a version becomes which present one, and what the version lacks. */
interface Matching {
  /** In the version's order; `present` is absent for what has to be made. */
  readonly pairs: readonly {
    readonly thing: VersionThing
    readonly index: number
    readonly present: Live | undefined
  }[]
  readonly surplus: readonly Live[]
}

/** The same id is the same thing; things without a match by id match by name. */
export const match = (
  { title }: Pick<EntityDeclaration, 'title'>,
  things: readonly VersionThing[],
  present: readonly Live[],
): Matching => {
  const left = new Map(present.map(state => [state.id, state]))
  const found = new Map<VersionThing, Live>()
  const pair = (thing: VersionThing, state: Live | undefined) => {
    if (state === undefined) return
    found.set(thing, state)
    left.delete(state.id)
  }
  for (const thing of things) pair(thing, left.get(thing.id ?? ''))
  const named = Map.groupBy(left.values(), ({ fields }) => folded([title], fields))
  for (const thing of things) if (!found.has(thing)) pair(thing, named.get(folded([title], thing))?.shift())
  const pairs = things.map((thing, index) => ({ thing, index, present: found.get(thing) }))
  return { pairs, surplus: [...left.values()] }
}

/**
 * Present things whose value in this field another one is about to take: they need a value of passage first, since two
 * may swap theirs.
 */
export const inTheWay = ({ pairs }: Matching, fields: readonly string[]): readonly Live[] => {
  const wanted = new Set(pairs.map(({ thing }) => folded(fields, thing)))
  return pairs.flatMap(({ thing, present }) => {
    // A value that the version does not know stays.
    if (present === undefined || fields.some(field => thing[field] === undefined)) return []
    if (typeof present.fields[fields.at(-1) ?? ''] !== 'string') return []
    const value = folded(fields, present.fields)
    return value !== folded(fields, thing) && wanted.has(value) ? [present] : []
  })
}

const folded = (fields: readonly string[], values: { readonly [field: string]: Json }): string =>
  JSON.stringify(fields.map(field => foldName(String(values[field] ?? ''))))
