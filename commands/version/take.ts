import type { Live } from '#domain/behaviour.ts'
import { initialFields } from '#domain/entity.ts'
import { same } from '#domain/json-equal.ts'
import { versionedValues } from '#domain/version.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isSingle, singleId } from '#schemas/single.ts'
import { VERSION_FORMAT, VERSION_VERSION, type VersionFile, type VersionThing } from '#schemas/version-file.ts'
import { VERSION_ROOT, versionedChildren, versionMember } from '#schemas/versioned.ts'
import { flowFile } from '../flow/flow-file.ts'
import type { FlowState } from '../flow/flow-job.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { loadThing } from '../pipeline/load-single.ts'
import { awaitLookup } from '../process/contents.ts'

/** The present state of a bot as a version file, and the position of the log at which it was taken. */
export const takeVersion = async (
  context: CommandContext,
  bot: Live,
  { name, description }: { readonly name: string; readonly description?: string | null },
): Promise<{ file: VersionFile; position: string }> => {
  const position = await context.store.head()
  await awaitLookup(context)
  const entity = context.entityOf(VERSION_ROOT)
  const file: VersionFile = {
    format: VERSION_FORMAT,
    version: VERSION_VERSION,
    name,
    ...(description === undefined ? {} : { description }),
    bot: entity === undefined ? {} : thingOf(entity, bot),
    ...(entity === undefined ? {} : await membersOf(context, entity, bot.id)),
  }
  return { file, position }
}

/** What versions take of what lies directly in a thing, each with what lies in it. */
const membersOf = async (context: CommandContext, entity: EntityDeclaration, id: string): Promise<JsonObject> => {
  const members: Record<string, Json> = {}
  for (const child of versionedChildren(context.entities, entity)) {
    const things: VersionThing[] = []
    for (const state of await liveChildren(context, entity.name, id, child.name)) {
      const drawn = child.flow === undefined ? {} : await drawnIn(context, state, child.flow.script)
      things.push({ ...thingOf(child, state), ...drawn, ...(await membersOf(context, child, state.id)) })
    }
    const [only] = things
    if (!isSingle(child)) members[versionMember(child)] = things
    else if (only !== undefined) members[versionMember(child)] = only
  }
  return members
}

/** What lies directly in a thing, live, by name so that two versions of the same state are the same file. */
export const liveChildren = async (
  context: CommandContext,
  entity: string,
  id: string,
  child: string,
): Promise<Live[]> => {
  const declaration = context.entityOf(child)
  if (declaration === undefined) return []
  const ids = isSingle(declaration) ? [singleId(child, id)] : await context.lookup.children(entity, id, child)
  const loaded = await Promise.all(ids.map(childId => loadThing(context, declaration, childId)))
  const states = loaded.flatMap(({ state }) => (state.status === 'live' ? [state] : []))
  const key = (state: Live) => `${state.fields[declaration.title]}\n${state.id}`
  return states.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

const thingOf = (entity: EntityDeclaration, { id, fields }: Live): VersionThing => ({
  id,
  ...versionedValues(entity, { ...initialFields(entity), ...fields }),
})

const drawnIn = async (context: CommandContext, thing: Live, hasScript: boolean): Promise<JsonObject> => {
  const drawn = await flowOf(context, (await context.flows.stored(thing.id)).state, hasScript)
  return { ...drawn, release: await releaseOf(context, thing, hasScript, drawn) }
}

const flowOf = async ({ flows }: CommandContext, state: FlowState, hasScript: boolean): Promise<JsonObject> => {
  const { js, ...flow } = await flowFile(flows, state, hasScript)
  return { flow: flow as unknown as JsonObject, ...(js === undefined ? {} : { js }) }
}

/** What is published of a thing, without members that are as they are drawn; null where nothing is. */
const releaseOf = async (
  context: CommandContext,
  { id, fields: { published, publishedrevision } }: Live,
  hasScript: boolean,
  drawn: JsonObject,
): Promise<JsonObject | null> => {
  if (published !== true || typeof publishedrevision !== 'number') return null
  const state = await context.flows.storedAt(id, publishedrevision)
  if (state === undefined) return null
  const released = await flowOf(context, state, hasScript)
  return Object.fromEntries(Object.entries(released).filter(([name, value]) => !same(value, drawn[name] ?? null)))
}
