import type { Live } from '#domain/behaviour.ts'
import { inTheWay, match, pathIn, thingsOf, type VersionPath } from '#domain/version.ts'
import { type EntityDeclaration, isSingle, parentField, singleId, uniqueFields } from '#schemas/entity.ts'
import type { VersionFile, VersionThing } from '#schemas/version-file.ts'
import { VERSION_ROOT, versionedChildren } from '#schemas/versioned.ts'
import { derivedId } from '../pipeline/append.ts'
import { type CommandContext, loadThing } from '../pipeline/command-context.ts'
import { TimeSlicer } from '../time-slicer.ts'
import { liveChildren } from './capture-version.ts'

/** A thing of the version with the id that it has or will have in the bot. */
export interface PlacedThing {
  readonly entity: EntityDeclaration
  readonly thing: VersionThing
  readonly path: VersionPath
  readonly id: string
  readonly as: 'present' | 'removed' | 'new'
  /** Fields as they stand; those of a removed thing as they were. */
  readonly present: Live['fields'] | undefined
  readonly parent: { readonly id: string; readonly names: readonly string[] }
}

/** A present thing that the version lacks. */
interface SurplusThing {
  readonly entity: EntityDeclaration
  readonly state: Live
  /** Names of its parents, within the bot. */
  readonly names: readonly string[]
}

/** A present thing whose value in a unique field another one is about to take. */
interface Occupied {
  readonly entity: EntityDeclaration
  readonly id: string
  readonly field: string
}

export interface Placement {
  /** The bot first, then what contains before what it contains. */
  readonly placed: readonly PlacedThing[]
  /** With all contents, parents first. */
  readonly surplus: readonly SurplusThing[]
  readonly occupied: readonly Occupied[]
  /** Ids of the file to ids in the bot. */
  readonly ids: Readonly<Record<string, string>>
}

interface Placing {
  readonly context: CommandContext
  readonly seed: string
  readonly placed: PlacedThing[]
  readonly surplus: SurplusThing[]
  readonly occupied: Occupied[]
  readonly slices: TimeSlicer
}

/** Which thing of a version is which one of the bot. Everything new gets its id from `seed`. */
export const placeThings = async (
  context: CommandContext,
  { file, bot, seed }: { readonly file: VersionFile; readonly bot: Live; readonly seed: string },
): Promise<Placement> => {
  const entity = context.entityOf(VERSION_ROOT)
  if (entity === undefined) throw new Error(`${VERSION_ROOT} is not declared`)
  const parent = { id: '', names: [] }
  const root: PlacedThing = {
    entity,
    thing: file.bot,
    path: [VERSION_ROOT],
    id: bot.id,
    as: 'present',
    present: bot.fields,
    parent,
  }
  const placing: Placing = { context, seed, placed: [root], surplus: [], occupied: [], slices: new TimeSlicer() }
  await placeChildren(placing, root, file, [], [])
  const { placed, surplus, occupied } = placing
  const ids = Object.fromEntries(placed.flatMap(({ thing, id }) => (thing.id === undefined ? [] : [[thing.id, id]])))
  return { placed, surplus, occupied, ids }
}

/** Things that are placed at once. */
const AT_ONCE = 50

const placeChildren = async (
  given: Placing,
  above: PlacedThing,
  within: VersionFile | VersionThing,
  path: VersionPath,
  names: readonly string[],
): Promise<void> => {
  const { context, placed, surplus, occupied, slices } = given
  for (const child of versionedChildren(context.entities, above.entity)) {
    const things = thingsOf(child, within)
    if (things === undefined) continue
    const parent = { id: above.id, names }
    const live = above.as === 'present' ? await liveChildren(context, above.entity.name, above.id, child.name) : []
    const matching = isSingle(child)
      ? { pairs: things.map((thing, index) => ({ thing, index, present: live[0] })), surplus: [] }
      : match(child, things, live)
    for (const state of matching.surplus)
      surplus.push(...(await withContents(context, { entity: child, state, names })))
    for (const unique of child.unique) {
      // These things are in a parent: names of a level are not in their way.
      if (unique.within === 'level') continue
      const fields = uniqueFields(unique)
      const field = fields.at(-1) ?? ''
      occupied.push(...inTheWay(matching, fields).map(({ id }) => ({ entity: child, id, field })))
    }
    for (let at = 0; at < matching.pairs.length; at += AT_ONCE) {
      const placing = matching.pairs
        .slice(at, at + AT_ONCE)
        .map(({ thing, index, present }) =>
          placeThing(given, { entity: child, thing, path: pathIn(child, path, index), parent }, present),
        )
      for (const here of await Promise.all(placing)) {
        placed.push(here)
        await placeChildren(given, here, here.thing, here.path, [...names, String(here.thing[child.title] ?? '')])
      }
      await slices.pause()
    }
  }
}

const placeThing = async (
  { context, seed }: Placing,
  given: Pick<PlacedThing, 'entity' | 'thing' | 'path' | 'parent'>,
  present: Live | undefined,
): Promise<PlacedThing> => {
  const { entity, thing, path, parent } = given
  if (present !== undefined) return { ...given, id: present.id, as: 'present', present: present.fields }
  if (isSingle(entity)) {
    const id = singleId(entity.name, parent.id)
    const { state } = await loadThing(context, entity, id)
    const known = state.status === 'live' || state.status === 'removed' ? state.fields : undefined
    return { ...given, id, as: 'present', present: known }
  }
  const { state } = thing.id === undefined ? { state: undefined } : await context.loader.load(entity, thing.id)
  if (state?.status === 'removed' && state.fields[parentField(entity) ?? ''] === parent.id)
    return { ...given, id: state.id, as: 'removed', present: state.fields }
  return { ...given, id: derivedId(seed, path.join('.')), as: 'new', present: undefined }
}

/** An entity and all its contents, versioned or not: a removed entity keeps no contents. */
const withContents = async (context: CommandContext, top: SurplusThing): Promise<readonly SurplusThing[]> => {
  const { entity, state } = top
  const names = [...top.names, String(state.fields[entity.title] ?? '')]
  const found = [top]
  for (const child of Object.values(context.entities)) {
    if (parentField(child) !== entity.name || isSingle(child)) continue
    for (const inside of await liveChildren(context, entity.name, state.id, child.name))
      found.push(...(await withContents(context, { entity: child, state: inside, names })))
  }
  return found
}
