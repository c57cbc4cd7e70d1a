import type { Live } from '#domain/behaviour.ts'
import { initialFields } from '#domain/entity.ts'
import { versionedValues } from '#domain/version.ts'
import { type EntityDeclaration, isSingle, singleId } from '#schemas/entity.ts'
import { VERSION_FORMAT, VERSION_VERSION, type VersionThing } from '#schemas/version-file.ts'
import { VERSION_ROOT, versionedChildren, versionMember } from '#schemas/versioned.ts'
import { type PackedText, packText } from '../packed-text.ts'
import { awaitLookup, type CommandContext, loadThing } from '../pipeline/command-context.ts'
import { TimeSlicer } from '../time-slicer.ts'

/** Things that are loaded at once. */
const AT_ONCE = 50

/** The present state of a bot as a packed version file, and the position of the log at which it was taken. */
export const captureVersion = async (
  context: CommandContext,
  bot: Live,
  { name, description }: { readonly name: string; readonly description?: string | null },
): Promise<PackedText & { readonly position: string }> => {
  const position = await context.store.head()
  await awaitLookup(context)
  const entity = context.entityOf(VERSION_ROOT)
  if (entity === undefined) throw new Error(`${VERSION_ROOT} is not declared`)
  const head = {
    format: VERSION_FORMAT,
    version: VERSION_VERSION,
    name,
    ...(description === undefined ? {} : { description }),
    bot: thingOf(entity, bot),
  }
  return { ...(await packText(textOf(context, entity, bot, head))), position }
}

/** JSON of an entity and its contents, part by part: a bot may have tens of MB. */
async function* textOf(
  context: CommandContext,
  entity: EntityDeclaration,
  thing: Live,
  fields: object,
  slices = new TimeSlicer(),
): AsyncGenerator<string | Uint8Array> {
  yield JSON.stringify(fields).slice(0, -1)
  if (entity.flow !== undefined) {
    yield ','
    yield await drawnIn(context, thing, entity.flow.script)
  }
  for (const child of versionedChildren(context.entities, entity)) {
    const things = await liveChildren(context, entity.name, thing.id, child.name)
    if (isSingle(child) && things.length === 0) continue
    yield `,${JSON.stringify(versionMember(child))}:${isSingle(child) ? '' : '['}`
    for (const [index, state] of (isSingle(child) ? things.slice(0, 1) : things).entries()) {
      await slices.pause()
      if (index > 0) yield ','
      yield* textOf(context, child, state, thingOf(child, state), slices)
    }
    if (!isSingle(child)) yield ']'
  }
  yield '}'
}

/** Live direct children, ordered by name: two versions of the same state are the same file. */
export const liveChildren = async (
  context: CommandContext,
  entity: string,
  id: string,
  child: string,
): Promise<Live[]> => {
  const declaration = context.entityOf(child)
  if (declaration === undefined) return []
  const slices = new TimeSlicer()
  const ids = isSingle(declaration) ? [singleId(child, id)] : await context.lookup.children(entity, id, child)
  const found: { readonly key: string; readonly state: Live }[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const loaded = await Promise.all(
      ids.slice(at, at + AT_ONCE).map(childId => loadThing(context, declaration, childId)),
    )
    for (const { state } of loaded)
      if (state.status === 'live') found.push({ key: `${state.fields[declaration.title]}\n${state.id}`, state })
    await slices.pause()
  }
  return found.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ state }) => state)
}

const thingOf = (entity: EntityDeclaration, { id, fields }: Live): VersionThing => ({
  id,
  ...versionedValues(entity, { ...initialFields(entity), ...fields }),
})

/** Members of a version file with the drawing of a thing and its published flow. */
const drawnIn = async (
  { flows }: CommandContext,
  { id, fields: { published, publishedrevision } }: Live,
  hasScript: boolean,
): Promise<Uint8Array> => {
  const { state, revision } = await flows.stored(id)
  const releasedAt = async (at: number) => (at === revision ? state : await flows.storedAt(id, at))
  const isPublished = published === true && typeof publishedrevision === 'number'
  const released = isPublished ? await releasedAt(publishedrevision) : undefined
  return flows.work.perform({ do: 'members', state, released: released ?? null, hasScript })
}
