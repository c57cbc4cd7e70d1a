import type { Live } from '#domain/behaviour.ts'
import { filesIn } from '#domain/field/file-values.ts'
import { parentField } from '#schemas/entity.ts'
import type { EventSource, ProcessPlan, Step } from '#schemas/events/process.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import { isVersioned } from '#schemas/versioned.ts'
import type { Cleared } from '../lookup/dangling-reference.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { derivedId } from '../pipeline/event-id.ts'
import type { Caller } from '../port.ts'
import { type Placement, placeThings } from './place-things.ts'
import { type VersionValues, versionValues } from './version-values.ts'

interface Applied {
  readonly version: Live
  readonly file: VersionFile
  readonly bot: Live
  readonly caller: Caller
  /** Everything new gets its id from this. */
  readonly seed: string
}

type Plan = Required<Pick<ProcessPlan, 'steps' | 'ids'>> & { readonly cleared: readonly Cleared[] }

/**
 * All steps that make a bot what a version has: the present state is kept, what the version lacks is removed, names in
 * the way give way, things are made, brought back or changed, flows are replaced in place, references come last.
 */
export const planApply = async (
  context: CommandContext,
  { version, file, bot, caller, seed }: Applied,
): Promise<Plan> => {
  const source = { kind: 'version', id: version.id }
  const placement = await placeThings(context, { file, bot, seed })
  const isUploaded = version.fields.uploaded === true
  const [root, ...inside] = await versionValues(context, placement, { bot: bot.id, caller, isUploaded })
  const all = root === undefined ? inside : [...inside, root]
  if (isUploaded) await keepFiles(context, all)
  const kept = { entity: 'version', id: derivedId(seed, 'kept'), bot: bot.id }
  const steps: Step[] = [
    { do: 'keepversion', ...kept, name: `${file.name} ↩` },
    { do: 'supersede', ...kept },
    ...clearing(placement, source),
    ...inside.map(values => making(values, bot.level, source)),
    ...flowSteps(placement, version.id),
    ...inside.flatMap(({ placed, references }) => changing(placed, references, source)),
    ...(root === undefined ? [] : changing(root.placed, { ...root.plain, ...root.references }, source)),
    ...clearingHolders(context, placement),
  ]
  const ids = Object.entries(placement.ids).filter(([there, here]) => there !== here)
  return { steps, ids: Object.fromEntries(ids), cleared: all.flatMap(({ cleared }) => cleared) }
}

const keepFiles = async (context: CommandContext, all: readonly VersionValues[]): Promise<void> => {
  for (const { placed, plain, fixed } of all)
    for (const { file } of filesIn(placed.entity.fields, { ...plain, ...fixed })) await context.files.keep(file.id)
}

const clearing = ({ surplus, occupied }: Placement, source: EventSource): readonly Step[] => [
  ...surplus.map(({ entity, state }): Step => ({ do: 'remove', entity: entity.name, id: state.id, source })),
  ...occupied.map(({ entity, id, field }): Step => {
    return { do: 'change', entity: entity.name, id, fields: { [field]: `~${id}` }, source }
  }),
]

/** Its name and what it lies in: what refers to other things of the version comes when all of them are there. */
const making = ({ placed, plain, fixed }: VersionValues, level: string | null, source: EventSource): Step => {
  const { entity, id, as, parent } = placed
  const on = { entity: entity.name, id }
  switch (as) {
    case 'present':
      return { do: 'change', ...on, fields: plain, source }
    case 'removed':
      return { do: 'restore', ...on, fields: plain, source }
    case 'new':
      return {
        do: 'create',
        ...on,
        level,
        fields: { ...plain, ...fixed, [parentField(entity) ?? '']: parent.id },
        source,
      }
    default:
      return as satisfies never
  }
}

const changing = ({ entity, id }: VersionValues['placed'], fields: Live['fields'], source: EventSource): Step[] =>
  Object.keys(fields).length === 0 ? [] : [{ do: 'change', entity: entity.name, id, fields, source }]

const flowSteps = ({ placed }: Placement, version: string): readonly Step[] =>
  placed.flatMap(({ entity, id, path, thing }): Step[] =>
    entity.flow === undefined || thing.flow === undefined
      ? []
      : [{ do: 'applyflow', entity: entity.name, id, version, path }],
  )

/** Things that versions do not change may refer to what they remove; comments are read with their flow. */
const clearingHolders = ({ entities }: CommandContext, { surplus }: Placement): readonly Step[] => {
  const holders = Object.values(entities).filter(holder => !isVersioned(holder) && holder.rights === undefined)
  const targets = new Set(holders.flatMap(({ fields }) => Object.values(fields).flatMap(({ to }) => to ?? [])))
  return surplus
    .filter(({ entity }) => targets.has(entity.name))
    .map(({ entity, state }): Step => ({ do: 'clearholders', entity: entity.name, id: state.id }))
}
