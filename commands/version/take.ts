import type { Live } from '#domain/behaviour.ts'
import type { JsonObject } from '#schemas/event.ts'
import {
  VERSION_FORMAT,
  VERSION_VERSION,
  type VersionDialog,
  type VersionFile,
  type VersionTask,
  type VersionThing,
  versionFields,
} from '#schemas/version-file.ts'
import { flowFile } from '../flow/flow-file.ts'
import { entityHasScript } from '../flow/patch-whole.ts'
import type { Tools } from '../pipeline/command-context.ts'
import { lookedUp } from '../process/contents.ts'

/** The present state of a bot as a version file, and the position of the log at which it was taken. */
export const takeVersion = async (
  tools: Tools,
  bot: Live,
  { name, description }: { readonly name: string; readonly description?: string | null },
): Promise<{ file: VersionFile; position: string }> => {
  const position = await tools.store.head()
  await lookedUp(tools)
  const dialogtasks: VersionTask[] = []
  for (const task of await liveChildren(tools, 'bot', bot.id, 'dialogtask')) {
    dialogtasks.push({
      ...thingOf(tools, 'dialogtask', task),
      dialogs: await drawnIn(tools, task.id, 'dialog'),
      handlers: await drawnIn(tools, task.id, 'handler'),
    } as VersionTask)
  }
  const things = async (child: string) =>
    (await liveChildren(tools, 'bot', bot.id, child)).map(state => thingOf(tools, child, state))
  const file: VersionFile = {
    format: VERSION_FORMAT,
    version: VERSION_VERSION,
    name,
    ...(description === undefined ? {} : { description }),
    bot: thingOf(tools, 'bot', bot),
    dialogtasks,
    variables: await things('variable'),
    variableschemas: await things('variableschema'),
  }
  return { file, position }
}

/** What lies directly in a thing, live, by name so that two versions of the same state are the same file. */
export const liveChildren = async (tools: Tools, entity: string, id: string, child: string): Promise<Live[]> => {
  const declaration = tools.entityOf(child)
  if (declaration === undefined) return []
  const ids = await tools.lookup.children(entity, id, child)
  const loaded = await Promise.all(ids.map(childId => tools.loader.load(declaration, childId)))
  const states = loaded.flatMap(({ state }) => (state.status === 'live' ? [state] : []))
  const key = (state: Live) => `${state.fields[declaration.title]}\n${state.id}`
  return states.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

const thingOf = (tools: Tools, entity: string, { id, fields }: Live): VersionThing => {
  const declaration = tools.entityOf(entity)
  const names = declaration === undefined ? [] : versionFields(declaration)
  return { id, ...Object.fromEntries(names.map(name => [name, fields[name] ?? null])) }
}

const drawnIn = async (tools: Tools, task: string, kind: 'dialog' | 'handler'): Promise<VersionDialog[]> => {
  const drawn: VersionDialog[] = []
  for (const state of await liveChildren(tools, 'dialogtask', task, kind)) {
    const { state: held } = await tools.flows.stored(state.id)
    const { js, ...flow } = await flowFile(tools.flows, held, entityHasScript(kind))
    const script = js === undefined ? {} : { js }
    drawn.push({ ...thingOf(tools, kind, state), flow: flow as unknown as JsonObject, ...script })
  }
  return drawn
}
