import type { Referrer } from '#domain/lookup.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { openField } from '../keys/secret.ts'
import { awaitLookup, type CommandContext, isVisible, removedWith, type Thing } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'

/** Something that points at a thing. */
interface Use {
  readonly entity: string
  readonly id: string
  readonly title: string
  readonly field: string
  readonly block?: string
}

/** `hidden`: uses that the caller may not see; their places are omitted. */
interface Uses {
  readonly items: readonly Use[]
  readonly hidden: number
}

const MAX_NAMED = 20

/** Refuses a removal that would leave dangling references. */
export const rejectWhileUsed = async (
  context: CommandContext,
  caller: Caller,
  things: readonly Thing[],
): Promise<Result<null>> => {
  const { items, hidden } = await usesOf(context, caller, things)
  const count = items.length + hidden
  if (count === 0) return accepted(null)
  const errors = items
    .slice(0, MAX_NAMED)
    .map(({ field, ...use }): FieldError => ({ path: field, code: 'used', params: { ...use } }))
  return refused('entity.used', { params: { count, hidden }, errors })
}

/** Whether some reference to things of this kind is cleared when they are removed. */
export const isClearedOnRemoval = ({ entities }: CommandContext, { name }: EntityDeclaration): boolean =>
  Object.values(entities).some(({ fields }) =>
    Object.values(fields).some(({ to, onTargetRemoved }) => to === name && onTargetRemoved === 'clear'),
  )

/**
 * Users are shown by id wherever they acted, comments are read with their flow: references block the removal of
 * neither.
 */
const isGuarded = ({ name, rights }: EntityDeclaration): boolean => name !== 'user' && rights === undefined

const usesOf = async (context: CommandContext, caller: Caller, things: readonly Thing[]): Promise<Uses> => {
  if (!things.some(({ entity }) => isGuarded(entity))) return { items: [], hidden: 0 }
  await awaitLookup(context)
  const ids = things.map(({ id }) => id)
  const { items: referrers, total } = await context.lookup.referrers(ids)
  const removed = new Set(ids)
  const held = await Promise.all(referrers.map(referrer => stillHolds(context, referrer, removed)))
  const items: Use[] = []
  // Referrers omitted by the lookup count as uses, unless all named ones are cleared.
  let hidden = held.includes(true) ? total - referrers.length : 0
  for (const [at, { target: _, ...holder }] of referrers.entries()) {
    if (held[at] !== true) continue
    const title = await titleFor(context, caller, holder)
    if (title === undefined) hidden += 1
    else items.push({ ...holder, title })
  }
  return { items, hidden }
}

/**
 * The read model may lag behind another node's writes: the referrer's own stream decides. A flow is not read again.
 * Entities added to a `removed` one since the listing are removed with it and block nothing.
 */
const stillHolds = async (
  context: CommandContext,
  { target, entity, id, field, block }: Referrer,
  removed: ReadonlySet<string>,
): Promise<boolean> => {
  const declaration = context.entityOf(entity)
  const { state } = declaration === undefined ? { state: undefined } : await context.loader.load(declaration, id)
  if (declaration === undefined || state?.status !== 'live') return false
  if ((await removedWith(context, declaration, id)).some(parent => removed.has(parent))) return false
  if (block !== undefined) return true
  if (declaration.fields[field]?.onTargetRemoved === 'clear') return false
  const value = state.fields[field] ?? null
  return Array.isArray(value) ? value.includes(target) : value === target
}

/** Undefined for what the caller may not see. */
const titleFor = async (
  context: CommandContext,
  caller: Caller,
  { entity, id }: Pick<Use, 'entity' | 'id'>,
): Promise<string | undefined> => {
  const declaration = context.entityOf(entity)
  if (declaration === undefined || !(caller.user === null || caller.permits(`read${entity}`))) return undefined
  const { state } = await context.loader.load(declaration, id)
  if (state.status !== 'live' || !isVisible(caller, declaration, state)) return undefined
  const title = await openField(
    context.keys,
    declaration,
    id,
    declaration.title,
    state.fields[declaration.title] ?? null,
  )
  return typeof title === 'string' ? title : id
}
