import { z } from 'zod'
import type { Live } from '#domain/behaviour.ts'
import { type Fields, parentIn } from '#domain/entity.ts'
import { parseInput } from '#domain/field/validate.ts'
import { freeName } from '#domain/free-name.ts'
import { versionedValues } from '#domain/version.ts'
import { type EntityDeclaration, isSingle, parentField, singleId } from '#schemas/entity.ts'
import type { Step } from '#schemas/events/entity.ts'
import { foldName } from '#schemas/fold-text.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { withIds } from '../flow/read-flow-file.ts'
import { derivedId } from '../pipeline/append.ts'
import { type Attempt, awaitLookup, type CommandContext, loadLiveTarget } from '../pipeline/command-context.ts'
import { liveChildren } from '../version/capture-version.ts'
import { runProcess } from './process-report.ts'

const bodyOf = ({ fields, title }: EntityDeclaration) => {
  const name = fields[title]?.schema ?? z.string()
  return z.strictObject({ name: name.optional() })
}
interface Copy {
  readonly entity: EntityDeclaration
  readonly state: Live
  readonly id: string
}

/** Copies an entity beside the original, with all contents except comments. Returns {id} of the copy. */
export const duplicate: Attempt = async (context, run) => {
  const { entity } = run
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const { state } = target.value
  const body = parseInput(bodyOf(entity), run.command.input)
  if (!body.ok) return body
  await awaitLookup(context)
  const originals = [{ entity, state }, ...(await originalsIn(context, entity, state.id))]
  const copies = originals.map((original): Copy => {
    return { ...original, id: derivedId(run.author.seed, `copy:${original.state.id}`) }
  })
  const ids = Object.fromEntries(copies.map(copy => [copy.state.id, copy.id]))
  const taken = await namesBeside(context, entity, state)
  const wanted = typeof body.value.name === 'string' ? body.value.name : undefined
  if (wanted !== undefined && taken.map(foldName).includes(foldName(wanted))) {
    return refused('entity.name.taken', { params: { name: wanted, entity: entity.name } })
  }
  const name = wanted ?? freeName(String(state.fields[entity.title]), taken)
  const making: Step[] = copies.map((copy, index): Step => {
    const fields = { ...copied(copy, ids), ...(index === 0 ? { [entity.title]: name } : {}) }
    const source = { kind: 'duplicate', id: copy.state.id }
    return { do: 'create', entity: copy.entity.name, id: copy.id, level: state.level, fields, source }
  })
  const settings = await onlyOnes(context, copies, ids)
  const drawing: Step[] = []
  for (const { entity: of, state: original, id } of copies) {
    if (of.flow === undefined) continue
    const revision = await context.flows.revision(original.id)
    drawing.push({ do: 'copyflow', entity: of.name, id, from: original.id, revision })
  }
  const id = ids[state.id] ?? ''
  const done = await runProcess(
    context,
    run,
    { kind: 'duplicate', root: id, steps: [...making, ...settings, ...drawing], ids },
    id,
  )
  return done.ok ? accepted({ ...done.value, result: { id } }) : done
}

/** Copied with their parent: not entities with a reason to be left out, nor comments. */
const isCopiedWith = ({ rights, versioned }: EntityDeclaration): boolean =>
  rights !== 'readers' && (versioned === undefined || versioned === true)

/** All that is copied with an entity, at any depth, parents first. */
const originalsIn = async (
  context: CommandContext,
  entity: EntityDeclaration,
  id: string,
): Promise<Omit<Copy, 'id'>[]> => {
  const originals: Omit<Copy, 'id'>[] = []
  for (const child of Object.values(context.entities)) {
    if (parentField(child) !== entity.name || isSingle(child) || !isCopiedWith(child)) continue
    for (const state of await liveChildren(context, entity.name, id, child.name)) {
      originals.push({ entity: child, state }, ...(await originalsIn(context, child, state.id)))
    }
  }
  return originals
}

type Ids = Readonly<Record<string, string>>

/** A singleton exists in each copy of its parent and gets the original's values. */
const onlyOnes = async (context: CommandContext, copies: readonly Copy[], ids: Ids): Promise<readonly Step[]> => {
  const steps: Step[] = []
  for (const { entity, state, id } of copies) {
    for (const child of Object.values(context.entities)) {
      if (parentField(child) !== entity.name || !isSingle(child) || !isCopiedWith(child)) continue
      const source = { kind: 'duplicate', id: singleId(child.name, state.id) }
      for (const { fields } of await liveChildren(context, entity.name, state.id, child.name)) {
        const values = withIds(versionedValues(child, fields), ids)
        steps.push({ do: 'change', entity: child.name, id: singleId(child.name, id), fields: values, source })
      }
    }
  }
  return steps
}

/** Copied fields of an entity: those set by people, and its parent. Not its publication, nor its secrets. */
const copied = ({ entity, state }: Copy, ids: Ids): Fields => {
  const parent = parentField(entity)
  const place = parent === undefined ? {} : { [parent]: state.fields[parent] ?? null }
  return withIds({ ...versionedValues(entity, state.fields), ...place }, ids)
}

/** Names of its siblings, itself included. */
const namesBeside = async (
  context: CommandContext,
  entity: EntityDeclaration,
  state: Live,
): Promise<readonly string[]> => {
  const parent = parentIn(entity, state.fields)
  const above = parent === undefined ? state.level : state.fields[parent]
  const beside = await liveChildren(context, parent ?? 'hierarchy', String(above), entity.name)
  return beside.map(({ fields }) => String(fields[entity.title]))
}
