import type { Reference } from '#domain/flow/graph/references.ts'
import type { Referrer } from '#domain/lookup.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { flowReader } from '../flow/flow-reader.ts'
import { openField } from '../keys/secret.ts'
import type { Tools } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { everythingIn, lookedUp, type Thing } from '../process/contents.ts'
import { isVisible } from './visibility.ts'

/** Something that points at a thing. */
export interface Use {
  readonly entity: string
  readonly id: string
  readonly title: string
  /** '' where a block of a flow points at it. */
  readonly field: string
  readonly flow?: { readonly dialog: string; readonly block: string }
}

/** `hidden`: uses that the caller may not see; they count, but nobody tells where they are. */
export interface Uses {
  readonly items: readonly Use[]
  readonly hidden: number
}

export interface UsedByReader {
  /** What points at a thing, or at what lies in it, from outside. Undefined where there is no such kind of thing. */
  usedBy(caller: Caller, entity: string, id: string): Promise<Uses | undefined>
}

/** What blocks point at by id. */
const FLOW_TARGETS: ReadonlySet<string> = new Set<Reference['to']>([
  'dialog',
  'handler',
  'dialogtask',
  'variableschema',
])
const MAX_NAMED = 20

export const usedByReader = (tools: Tools): UsedByReader => ({
  async usedBy(caller, name, id) {
    const entity = tools.entityOf(name)
    if (entity === undefined) return undefined
    return usesOf(tools, caller, [{ entity, id }, ...(await everythingIn(tools, { entity, id }))])
  },
})

/** Refuses what would leave references to something that is gone. */
export const rejectWhileUsed = async (
  tools: Tools,
  caller: Caller,
  things: readonly Thing[],
): Promise<Result<null>> => {
  const { items, hidden } = await usesOf(tools, caller, things)
  const count = items.length + hidden
  if (count === 0) return accepted(null)
  const errors = items.slice(0, MAX_NAMED).map(({ field, flow, ...user }): FieldError => {
    const block = flow === undefined ? {} : { block: flow.block }
    return { path: field, code: 'used', params: { ...user, ...block } }
  })
  return refused('entity.used', { params: { count, hidden }, errors })
}

/** People are shown by their ids wherever they acted, comments are read with their flow: neither is held by a reference. */
const isGuarded = ({ name, rights }: EntityDeclaration): boolean => name !== 'user' && rights === undefined

const usesOf = async (tools: Tools, caller: Caller, things: readonly Thing[]): Promise<Uses> => {
  const guarded = things.filter(({ entity }) => isGuarded(entity))
  if (guarded.length === 0) return { items: [], hidden: 0 }
  await lookedUp(tools)
  const removed = new Set(things.map(({ id }) => id))
  const referrers = await tools.lookup.referrers(guarded.map(({ id }) => id))
  const held = await Promise.all(referrers.map(referrer => stillHolds(tools, referrer)))
  const found = [
    ...referrers.filter((_, at) => held[at]).map(({ entity, id, field }) => ({ entity, id, field })),
    ...(await usesInFlows(tools, guarded, removed)),
  ].filter(({ id }) => !removed.has(id))
  const items: Use[] = []
  for (const use of found) {
    const title = await titleFor(tools, caller, use)
    if (title !== undefined) items.push({ ...use, title })
  }
  return { items, hidden: found.length - items.length }
}

/** The read model may be behind what another node wrote: the referrer's own stream decides. */
const stillHolds = async (tools: Tools, { target, entity, id, field }: Referrer): Promise<boolean> => {
  const declaration = tools.entityOf(entity)
  const { state } = declaration === undefined ? { state: undefined } : await tools.loader.load(declaration, id)
  if (state?.status !== 'live') return false
  const value = state.fields[field] ?? null
  return Array.isArray(value) ? value.includes(target) : value === target
}

const usesInFlows = async (
  tools: Tools,
  things: readonly Thing[],
  removed: ReadonlySet<string>,
): Promise<readonly Omit<Use, 'title'>[]> => {
  const targets = things.filter(({ entity }) => FLOW_TARGETS.has(entity.name))
  const [first] = targets
  const bot = first === undefined ? undefined : await botOf(tools, first)
  if (bot === undefined || removed.has(bot)) return []
  const references = targets.map(({ entity, id }) => ({ to: entity.name as Reference['to'], id }))
  const { items } = await flowReader(tools).referrersInFlows({ bot, may: () => true }, references)
  return items.flatMap(({ kind, id, hits }) =>
    hits.map(({ block }) => ({ entity: kind, id, field: '', flow: { dialog: id, block } })),
  )
}

/** The bot that something lies in, at whatever depth. */
const botOf = async (tools: Tools, { entity, id }: Thing): Promise<string | undefined> => {
  const parent = parentField(entity)
  const { state } = await tools.loader.load(entity, id)
  if (parent === undefined || (state.status !== 'live' && state.status !== 'removed')) return undefined
  const above = state.fields[parent]
  if (typeof above !== 'string' || parent === 'bot') return typeof above === 'string' ? above : undefined
  const declaration = tools.entityOf(parent)
  return declaration === undefined ? undefined : botOf(tools, { entity: declaration, id: above })
}

/** Undefined for what the caller may not see. */
const titleFor = async (
  tools: Tools,
  caller: Caller,
  { entity, id }: Pick<Use, 'entity' | 'id'>,
): Promise<string | undefined> => {
  const declaration = tools.entityOf(entity)
  if (declaration === undefined || !(caller.user === null || caller.permits(`read${entity}`))) return undefined
  const { state } = await tools.loader.load(declaration, id)
  if (state.status !== 'live' || !isVisible(caller, declaration, state)) return undefined
  const title = await openField(tools.keys, declaration, id, declaration.title, state.fields[declaration.title] ?? null)
  return typeof title === 'string' ? title : id
}
