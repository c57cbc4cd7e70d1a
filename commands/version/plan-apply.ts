import type { Live } from '#domain/behaviour.ts'
import { inTheWay, type Matching, match } from '#domain/version.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { parentField } from '#schemas/entity.ts'
import type { EventSource, ProcessPlan, Step } from '#schemas/events/process.ts'
import { type VersionDialog, type VersionFile, type VersionThing, versionFields } from '#schemas/version-file.ts'
import type { Cleared } from '../lookup/dangling-reference.ts'
import type { Tools } from '../pipeline/command-context.ts'
import { derivedId } from '../pipeline/event-id.ts'
import { everythingIn } from '../process/contents.ts'
import { withIds } from '../process/with-ids.ts'
import { liveChildren } from './take.ts'

interface Applied {
  readonly version: string
  readonly file: VersionFile
  readonly bot: Live
  /** Everything new gets its id from this. */
  readonly seed: string
}

/** A thing of the version with the id that it has or will have in the bot. */
interface Placed<T extends VersionThing> {
  readonly entity: EntityDeclaration
  readonly thing: T
  readonly index: number
  readonly id: string
  readonly as: 'present' | 'removed' | 'new'
  /** Id of what it lies in. */
  readonly parent: string
}

/**
 * All steps that make a bot what a version has: the present state is kept, what the version lacks is removed, names in
 * the way give way, things are made, brought back or changed, flows are replaced in place, references come last.
 */
export const planApply = async (
  tools: Tools,
  applied: Applied,
): Promise<Required<Pick<ProcessPlan, 'steps' | 'ids'>> & { readonly cleared: readonly Cleared[] }> => {
  const { version, file, bot, seed } = applied
  const source = { kind: 'version', id: version }
  const placed: Placed<VersionThing>[] = []
  const drawn: { readonly placed: Placed<VersionDialog>; readonly task: number }[] = []
  const before: Step[] = []
  const place = async <T extends VersionThing>(
    child: string,
    parent: Live | { id: string },
    things: readonly T[],
    path: string,
  ) => {
    const entity = tools.entityOf(child)
    if (entity === undefined) return []
    const present = 'fields' in parent ? await liveChildren(tools, parentField(entity) ?? '', parent.id, child) : []
    const matching = match(things, present)
    before.push(...(await clearing(tools, entity, matching, source)))
    const here = await Promise.all(
      matching.pairs.map(({ thing, index, present }) =>
        placing(tools, entity, {
          thing,
          index,
          present,
          parent: parent.id,
          fallback: derivedId(seed, `${path}.${index}`),
        }),
      ),
    )
    placed.push(...here)
    return here
  }

  await place('variableschema', bot, file.variableschemas, 'variableschemas')
  const tasks = await place('dialogtask', bot, file.dialogtasks, 'dialogtasks')
  for (const task of tasks) {
    const state = task.as === 'present' ? (await tools.loader.load(task.entity, task.id)).state : undefined
    const parent = state?.status === 'live' ? state : { id: task.id }
    for (const [kind, things] of [
      ['dialog', task.thing.dialogs],
      ['handler', task.thing.handlers],
    ] as const) {
      const here = await place(kind, parent, things, `dialogtasks.${task.index}.${kind}`)
      drawn.push(...here.map(dialog => ({ placed: dialog, task: task.index })))
    }
  }
  await place('variable', bot, file.variables, 'variables')

  const ids = idsOf(placed, file, bot)
  const flowSteps = drawn.map(({ placed: { entity, id, index }, task }): Step => {
    return { do: 'applyflow', entity: entity.name, id, version, task, index }
  })
  const settings = fieldsOf(tools, 'bot', file.bot, ids)
  const { name: _name, ...botFields } = settings
  const kept = { entity: 'version', id: derivedId(seed, 'kept'), bot: bot.id }
  const steps: Step[] = [
    { do: 'keepversion', ...kept, name: `${file.name} ↩` },
    { do: 'supersede', ...kept },
    ...before,
    ...placed.map(thing => making(tools, thing, bot.level, source)),
    ...flowSteps,
    ...placed.map(({ entity, id, thing }): Step => {
      return {
        do: 'change',
        entity: entity.name,
        id,
        fields: referencesOf(entity, fieldsOf(tools, entity.name, thing, ids)),
        source,
      }
    }),
    { do: 'change', entity: 'bot', id: bot.id, fields: botFields, source },
  ]
  const cleared = [
    ...clearedOf(tools, 'bot', file.bot, bot.id, ids),
    ...placed.flatMap(({ entity, thing, id }) => clearedOf(tools, entity.name, thing, id, ids)),
  ]
  return { steps, cleared, ids: Object.fromEntries(Object.entries(ids).filter(([there, here]) => there !== here)) }
}

const clearing = async <T extends VersionThing>(
  tools: Tools,
  entity: EntityDeclaration,
  matching: Matching<T>,
  source: EventSource,
): Promise<Step[]> => {
  const steps: Step[] = []
  for (const { id } of matching.surplus) {
    for (const thing of [{ entity, id }, ...(await everythingIn(tools, { entity, id }))]) {
      steps.push({ do: 'remove', entity: thing.entity.name, id: thing.id, source })
    }
  }
  if (entity.unique.length === 0) return steps
  for (const { id } of inTheWay(matching)) {
    steps.push({ do: 'change', entity: entity.name, id, fields: { [entity.title]: `~${id}` }, source })
  }
  return steps
}

const placing = async <T extends VersionThing>(
  tools: Tools,
  entity: EntityDeclaration,
  {
    thing,
    index,
    present,
    parent,
    fallback,
  }: {
    thing: T
    index: number
    present: Live | undefined
    parent: string
    fallback: string
  },
): Promise<Placed<T>> => {
  if (present !== undefined) return { entity, thing, index, parent, id: present.id, as: 'present' }
  const { state } = thing.id === undefined ? { state: undefined } : await tools.loader.load(entity, thing.id)
  const field = parentField(entity) ?? ''
  if (state?.status === 'removed' && state.fields[field] === parent) {
    return { entity, thing, index, parent, id: state.id, as: 'removed' }
  }
  return { entity, thing, index, parent, id: fallback, as: 'new' }
}

/** Its name and what it lies in: what refers to other things of the version comes when all of them are there. */
const making = (
  tools: Tools,
  { entity, thing, id, as, parent }: Placed<VersionThing>,
  level: string | null,
  source: EventSource,
): Step => {
  const plain = plainFields(entity, fieldsOf(tools, entity.name, thing, {}))
  switch (as) {
    case 'present':
      return { do: 'change', entity: entity.name, id, fields: plain, source }
    case 'removed':
      return { do: 'restore', entity: entity.name, id, fields: plain, source }
    case 'new':
      return {
        do: 'create',
        entity: entity.name,
        id,
        level,
        fields: { ...plain, [parentField(entity) ?? '']: parent },
        source,
      }
    default:
      return as satisfies never
  }
}

type Fields = Live['fields']

const plainFields = (entity: EntityDeclaration, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => entity.fields[name]?.to === undefined))

const referencesOf = (entity: EntityDeclaration, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => entity.fields[name]?.to !== undefined))

/** What a version holds; references to other things stay as they are. */
const HELD: ReadonlySet<string> = new Set(['bot', 'dialogtask', 'dialog', 'handler', 'variable', 'variableschema'])

/** The fields that a version has of a thing, references within it turned to what they point at here. */
const fieldsOf = (tools: Tools, name: string, thing: VersionThing, ids: Readonly<Record<string, string>>): Fields => {
  const entity = tools.entityOf(name)
  if (entity === undefined) return {}
  const isHeld = (to: string | undefined) => to === undefined || HELD.has(to)
  const given = versionFields(entity).filter(field => thing[field] !== undefined && isHeld(entity.fields[field]?.to))
  return Object.fromEntries(
    given.map(field => {
      const value = thing[field] ?? entity.fields[field]?.initial ?? null
      if (entity.fields[field]?.to === undefined) return [field, value]
      return [field, typeof value === 'string' && Object.hasOwn(ids, value) ? withIds(value, ids) : null]
    }),
  )
}

/** References of a version to what neither it nor the bot has: they do not come with it. */
const clearedOf = (
  tools: Tools,
  name: string,
  thing: VersionThing,
  id: string,
  ids: Readonly<Record<string, string>>,
): Cleared[] => {
  const entity = tools.entityOf(name)
  if (entity === undefined) return []
  return versionFields(entity).flatMap(path => {
    const to = entity.fields[path]?.to
    const value = thing[path]
    if (to === undefined || !HELD.has(to) || typeof value !== 'string' || Object.hasOwn(ids, value)) return []
    return [{ path, id: value, of: { entity: name, id } }]
  })
}

const idsOf = (placed: readonly Placed<VersionThing>[], file: VersionFile, bot: Live): Record<string, string> => {
  const ids: Record<string, string> = file.bot.id === undefined ? {} : { [file.bot.id]: bot.id }
  for (const { thing, id } of placed) if (thing.id !== undefined) ids[thing.id] = id
  return ids
}
