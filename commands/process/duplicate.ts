import { z } from 'zod'
import type { Live } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import { parentIn } from '#domain/entity-tree.ts'
import { freeName } from '#domain/free-name.ts'
import { type EntityDeclaration, foldName } from '#schemas/entity.ts'
import type { Step } from '#schemas/events/process.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Attempt, Tools } from '../pipeline/command-context.ts'
import { derivedId } from '../pipeline/event-id.ts'
import { foundLive } from '../pipeline/load-target.ts'
import { parse } from '../pipeline/parse.ts'
import { liveChildren } from '../version/take.ts'
import { concluded } from './conclude.ts'
import { contentsOf, lookedUp } from './contents.ts'
import { withIds } from './with-ids.ts'

const bodyOf = ({ fields, title }: EntityDeclaration) => {
  const name = fields[title]?.schema ?? z.string()
  return z.strictObject({ name: name.optional() })
}
/** Entities with a flow, which is copied along. */
const DRAWN: ReadonlySet<string> = new Set(['dialog', 'handler'])

interface Copy {
  readonly entity: EntityDeclaration
  readonly state: Live
  readonly id: string
}

/** Makes a copy beside a thing, with copies of all that lies in it but comments. Answers {id} of the copy. */
export const duplicate: Attempt = async (tools, run) => {
  const { entity } = run
  const target = await foundLive(tools, run)
  if (!target.ok) return target
  const { state } = target.value
  const body = parse(bodyOf(entity), run.command.input)
  if (!body.ok) return body
  await lookedUp(tools)
  const originals = [{ entity, state }, ...(await originalsIn(tools, entity, state.id))]
  const copies = originals.map((original): Copy => {
    return { ...original, id: derivedId(run.author.seed, `copy:${original.state.id}`) }
  })
  const ids = Object.fromEntries(copies.map(copy => [copy.state.id, copy.id]))
  const taken = await namesBeside(tools, entity, state)
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
  const drawing: Step[] = []
  for (const { entity: of, state: original, id } of copies) {
    if (!DRAWN.has(of.name)) continue
    const revision = await tools.flows.revision(original.id)
    drawing.push({ do: 'copyflow', entity: of.name, id, from: original.id, revision })
  }
  const id = ids[state.id] ?? ''
  const done = await concluded(tools, run, { kind: 'duplicate', root: id, steps: [...making, ...drawing], ids }, id)
  return done.ok ? accepted({ ...done.value, result: { id } }) : done
}

/** What is copied with a thing, at any depth, what contains before what it contains. */
const originalsIn = async (tools: Tools, entity: EntityDeclaration, id: string): Promise<Omit<Copy, 'id'>[]> => {
  const originals: Omit<Copy, 'id'>[] = []
  for (const child of contentsOf(tools.entities, entity)) {
    if (child.rights === 'readers') continue
    for (const state of await liveChildren(tools, entity.name, id, child.name)) {
      originals.push({ entity: child, state }, ...(await originalsIn(tools, child, state.id)))
    }
  }
  return originals
}

/** What is copied of a thing: what people set, and where it lies. It is not published, and a secret is its own alone. */
const copied = ({ entity, state }: Copy, ids: Readonly<Record<string, string>>): Fields => {
  const kept = Object.entries(state.fields).filter(([name]) => {
    const field = entity.fields[name]
    return field === undefined || !(field.readonly || field.secret || field.secretWhen !== undefined)
  })
  return withIds(Object.fromEntries(kept), ids)
}

/** What lies beside it is called so, itself included. */
const namesBeside = async (tools: Tools, entity: EntityDeclaration, state: Live): Promise<readonly string[]> => {
  const parent = parentIn(entity, state.fields)
  const above = parent === undefined ? state.level : state.fields[parent]
  const beside = await liveChildren(tools, parent ?? 'hierarchy', String(above), entity.name)
  return beside.map(({ fields }) => String(fields[entity.title]))
}
