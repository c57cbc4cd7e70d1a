import { z } from 'zod'
import type { Live } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import { freeName } from '#domain/free-name.ts'
import { type EntityDeclaration, foldName, parentField } from '#schemas/entity.ts'
import type { Step } from '#schemas/events/process.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Attempt, Tools } from '../pipeline/command-context.ts'
import { derivedId } from '../pipeline/event-id.ts'
import { foundLive } from '../pipeline/load-target.ts'
import { parse } from '../pipeline/parse.ts'
import { liveChildren } from '../version/take.ts'
import { concluded } from './conclude.ts'
import { lookedUp } from './contents.ts'
import { withIds } from './with-ids.ts'

const bodyOf = ({ fields, title }: EntityDeclaration) => {
  const name = fields[title]?.schema ?? z.string()
  return z.strictObject({ name: name.optional() })
}
const DRAWN: readonly string[] = ['dialog', 'handler']

interface Copy {
  readonly entity: EntityDeclaration
  readonly state: Live
  readonly id: string
}

/** Makes a copy beside a dialog, a handler, or a task with all that is drawn in it. Answers {id} of the copy. */
export const duplicate: Attempt = async (tools, run) => {
  const { entity } = run
  const target = await foundLive(tools, run)
  if (!target.ok) return target
  const { state } = target.value
  const body = parse(bodyOf(entity), run.command.input)
  if (!body.ok) return body
  await lookedUp(tools)
  const copyOf = (of: EntityDeclaration, original: Live): Copy => {
    return { entity: of, state: original, id: derivedId(run.author.seed, `copy:${original.id}`) }
  }
  const copies = [copyOf(entity, state)]
  for (const kind of entity.name === 'dialogtask' ? DRAWN : []) {
    const declaration = tools.entityOf(kind)
    if (declaration === undefined) continue
    for (const child of await liveChildren(tools, 'dialogtask', state.id, kind)) copies.push(copyOf(declaration, child))
  }
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
    if (!DRAWN.includes(of.name)) continue
    const revision = await tools.flows.revision(original.id)
    drawing.push({ do: 'copyflow', entity: of.name, id, from: original.id, revision })
  }
  const id = ids[state.id] ?? ''
  const done = await concluded(tools, run, { kind: 'duplicate', root: id, steps: [...making, ...drawing], ids }, id)
  return done.ok ? accepted({ ...done.value, result: { id } }) : done
}

/** What is copied of a thing: what people set, and where it lies. It is not published. */
const copied = ({ entity, state }: Copy, ids: Readonly<Record<string, string>>): Fields => {
  const kept = Object.entries(state.fields).filter(([name]) => entity.fields[name]?.readonly !== true)
  return withIds(Object.fromEntries(kept), ids)
}

/** What lies beside it is called so, itself included. */
const namesBeside = async (tools: Tools, entity: EntityDeclaration, state: Live): Promise<readonly string[]> => {
  const parent = parentField(entity) ?? ''
  const beside = await liveChildren(tools, parent, String(state.fields[parent]), entity.name)
  return beside.map(({ fields }) => String(fields[entity.title]))
}
