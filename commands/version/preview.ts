import type { Live } from '#domain/behaviour.ts'
import { same } from '#domain/json-equal.ts'
import { match } from '#domain/version.ts'
import type { Json } from '#schemas/event.ts'
import { FLOW_FORMAT, FLOW_VERSION, type FlowFile } from '#schemas/flow/file.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import { type VersionDialog, type VersionFile, type VersionThing, versionFields } from '#schemas/version-file.ts'
import type { Tools } from '../pipeline/command-context.ts'
import { lookedUp } from '../process/contents.ts'
import { liveChildren } from './take.ts'

interface PreviewedFlow {
  /** Of the present one; of the version where there is none. */
  readonly id: string | null
  readonly name: string
  /** Name of its task. */
  readonly dialogtask: string
  readonly state: 'added' | 'changed' | 'removed'
  readonly summary: Pick<FlowSummary, 'added' | 'changed' | 'removed'>
}

/** What applying a version would change; what stays as it is, is left out. */
export interface Preview {
  readonly dialogs: readonly PreviewedFlow[]
  readonly handlers: readonly PreviewedFlow[]
  /** Paths begin with the kind and name of the thing: `dialogtask.Reserva.showinmenu`. */
  readonly settings: readonly { readonly path: string; readonly before: Json; readonly after: Json }[]
}

const NO_FLOW: FlowFile = { format: FLOW_FORMAT, version: FLOW_VERSION, operators: {}, links: {} }

export const previewVersion = async (tools: Tools, bot: Live, file: VersionFile): Promise<Preview> => {
  await lookedUp(tools)
  const settings: Preview['settings'][number][] = settingsOf(tools, 'bot', '', bot.fields, file.bot)
  const flows = { dialog: [] as PreviewedFlow[], handler: [] as PreviewedFlow[] }
  const tasks = match(file.dialogtasks, await liveChildren(tools, 'bot', bot.id, 'dialogtask'))
  for (const kind of ['dialog', 'handler'] as const) {
    for (const { thing, present } of tasks.pairs) {
      const inside = present === undefined ? [] : await liveChildren(tools, 'dialogtask', present.id, kind)
      flows[kind].push(
        ...(await flowsOf(tools, kind, String(thing.name), inside, kind === 'dialog' ? thing.dialogs : thing.handlers)),
      )
    }
    for (const gone of tasks.surplus) {
      const inside = await liveChildren(tools, 'dialogtask', gone.id, kind)
      flows[kind].push(...(await flowsOf(tools, kind, String(gone.fields.name), inside, [])))
    }
  }
  settings.push(
    ...thingsOf(tools, 'dialogtask', file.dialogtasks, await liveChildren(tools, 'bot', bot.id, 'dialogtask')),
  )
  for (const [kind, things] of [
    ['variable', file.variables],
    ['variableschema', file.variableschemas],
  ] as const) {
    settings.push(...thingsOf(tools, kind, things, await liveChildren(tools, 'bot', bot.id, kind)))
  }
  return { dialogs: flows.dialog, handlers: flows.handler, settings }
}

const flowsOf = async (
  tools: Tools,
  kind: string,
  dialogtask: string,
  present: readonly Live[],
  wanted: readonly VersionDialog[],
): Promise<PreviewedFlow[]> => {
  const { pairs, surplus } = match(wanted, present)
  const found: PreviewedFlow[] = []
  for (const { thing, present: state } of pairs) {
    const script = kind === 'handler' ? (thing.js ?? '') : undefined
    const summary = await summaryOf(tools, state?.id, thing.flow as unknown as FlowFile, script)
    const differs =
      state === undefined || summary !== undefined || settingsOf(tools, kind, '', state.fields, thing).length > 0
    if (!differs) continue
    const is = state === undefined ? 'added' : 'changed'
    const id = state?.id ?? thing.id ?? null
    found.push({ id, name: String(thing.name), dialogtask, state: is, summary: summary ?? NOTHING })
  }
  for (const state of surplus) {
    const summary = (await summaryOf(tools, state.id, NO_FLOW, undefined)) ?? NOTHING
    found.push({ id: state.id, name: String(state.fields.name), dialogtask, state: 'removed', summary })
  }
  return found
}

const NOTHING: PreviewedFlow['summary'] = { added: [], changed: [], removed: [] }

/** What making a flow, or an empty one, say this would do to it. */
const summaryOf = async (
  { flows }: Tools,
  id: string | undefined,
  file: FlowFile,
  script: string | undefined,
): Promise<PreviewedFlow['summary'] | undefined> => {
  const state = id === undefined ? [] : (await flows.stored(id)).state
  const change = { kind: 'file', file, script, origin: 'preview' } as const
  const { written: made } = await flows.work.perform({ do: 'change', state, change, isFirst: false })
  if (made === null) return undefined
  const { added, changed, removed } = made.summary
  return { added, changed, removed }
}

const thingsOf = (tools: Tools, kind: string, things: readonly VersionThing[], present: readonly Live[]) => {
  const { pairs, surplus } = match(things, present)
  const path = (name: Json | undefined) => `${kind}.${String(name)}`
  return [
    ...pairs.flatMap(({ thing, present: state }) =>
      state === undefined
        ? [{ path: path(thing.name), before: null, after: thing.name ?? null }]
        : settingsOf(tools, kind, `${path(state.fields.name)}.`, state.fields, thing),
    ),
    ...surplus.map(({ fields }) => ({ path: path(fields.name), before: fields.name ?? null, after: null })),
  ]
}

const settingsOf = (tools: Tools, kind: string, prefix: string, present: Live['fields'], thing: VersionThing) => {
  const entity = tools.entityOf(kind)
  if (entity === undefined) return []
  return versionFields(entity).flatMap(name => {
    const after = thing[name]
    const before = present[name] ?? null
    const isName = kind === 'bot' && name === 'name'
    const isReference = entity.fields[name]?.to !== undefined
    if (after === undefined || isName || isReference || same(before, after)) return []
    return [{ path: `${prefix}${name}`, before, after }]
  })
}
