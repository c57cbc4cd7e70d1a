import type { EntityState } from '#domain/behaviour.ts'
import { eventOf, type Fields } from '#domain/entity.ts'
import { filesIn, type HeldFile, withFiles } from '#domain/field/stored-items.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { FileValue } from '#schemas/field/value-schema.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { type Author, derivedId } from '../pipeline/append.ts'
import {
  awaitLookup,
  type CommandContext,
  type Committed,
  chainOf,
  isVisible,
  type Run,
  type Thing,
} from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import type { Caller, Files } from '../port.ts'
import { WrongRevision } from '../store/port.ts'

/** Assigned to things of the levels below theirs, though not opened from there. */
const ASSIGNED_FROM_ABOVE: ReadonlySet<string> = new Set(['role', 'usergroup'])

interface Referrer {
  readonly entity: EntityDeclaration
  /** Empty for what is about to be made. */
  readonly id: string
  readonly level: string | null
  /** All fields as they will be. */
  readonly fields: Fields
}

/** The references among `given` that do not point at something live which this thing may point at. */
export const referenceErrors = async (
  context: CommandContext,
  caller: Caller,
  referrer: Referrer,
  given: Fields,
): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  for (const [name, value] of Object.entries(given)) {
    const to = referrer.entity.fields[name]?.to
    if (to === undefined) continue
    for (const { id, path } of idsIn(name, value)) {
      if (!(await mayPointAt(context, caller, referrer, to, id))) errors.push({ path, code: 'reference' })
    }
  }
  return errors
}

const idsIn = (name: string, value: Json): { id: string; path: string }[] => {
  if (typeof value === 'string') return [{ id: value, path: name }]
  if (!Array.isArray(value)) return []
  return value.map((id, index) => ({ id: String(id), path: `${name}.${index}` }))
}

const mayPointAt = async (context: CommandContext, caller: Caller, referrer: Referrer, to: string, id: string) => {
  const target = context.entityOf(to)
  if (target === undefined) return false
  const { state } = await context.loader.load(target, id)
  if (state.status !== 'live' || !(await isInSamePlace(context, referrer, target, state))) return false
  if (isVisible(caller, target, state)) return true
  if (!ASSIGNED_FROM_ABOVE.has(to) || referrer.level === null || state.level === null) return false
  await awaitLookup(context)
  return (await context.lookup.ancestors(referrer.level)).includes(state.level)
}

/**
 * A nested entity may be referenced only from its own parent's contents, at any depth: a dialog of a task, from
 * entities in the bot of that task.
 */
const isInSamePlace = async (
  context: CommandContext,
  { entity, id, fields }: Referrer,
  target: EntityDeclaration,
  state: EntityState,
): Promise<boolean> => {
  const beside = parentField(entity)
  for (let at: EntityDeclaration | undefined = target, found = state; at !== undefined && found.status === 'live'; ) {
    const parent = parentField(at)
    if (parent === undefined) return true
    const parentId: Json = found.fields[parent] ?? null
    if (parent === entity.name) return parentId === id
    if (parent === beside) return parentId === fields[parent]
    at = context.entityOf(parent)
    if (at === undefined || typeof parentId !== 'string') return true
    found = (await context.loader.load(at, parentId)).state
  }
  return true
}

type ExistingState = Extract<EntityState, { status: 'live' | 'removed' }>

/** A reference cleared because its target was removed. */
export type Cleared = {
  readonly path: string
  readonly id: string
  /** Entity with the reference, if not the command's target. */
  readonly of?: { readonly entity: string; readonly id: string }
}

/**
 * Fields to restore, without references to removed entities. A restored entity gets all its fields back: unnamed fields
 * are checked too. Entities removed with it, and those in `returning`, are restored with it.
 */
export const clearDanglingReferences = async (
  context: CommandContext,
  entity: EntityDeclaration,
  state: ExistingState,
  named: Fields,
  returning: ReadonlySet<string> = new Set(),
): Promise<{ fields: Fields; cleared: Cleared[] }> => {
  const written = state.status === 'removed' ? { ...state.fields, ...named } : named
  const fields: Record<string, Json> = { ...named }
  const cleared: Cleared[] = []
  for (const [name, value] of Object.entries(written)) {
    const to = entity.fields[name]?.to
    if (to === undefined || name === parentField(entity) || entity.fields[name]?.readonly) continue
    const gone = await goneAmong(context, state, to, value, returning)
    if (gone.size === 0) continue
    cleared.push(...[...gone].map(id => ({ path: name, id })))
    fields[name] = Array.isArray(value) ? value.filter(id => !gone.has(String(id))) : null
  }
  return { fields, cleared }
}

const goneAmong = async (
  context: CommandContext,
  { id, status }: ExistingState,
  to: string,
  value: Json,
  returning: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const target = context.entityOf(to)
  const gone = new Set<string>()
  for (const pointed of Array.isArray(value) ? value : [value]) {
    if (typeof pointed !== 'string' || target === undefined) continue
    const { state } = await context.loader.load(target, pointed)
    if (state.status === 'live' || returning.has(pointed)) continue
    const removal = status === 'removed' ? await context.processes.latest(id, 'remove') : undefined
    if (removal?.steps.some(step => step.id === pointed) !== true) gone.add(pointed)
  }
  return gone
}

/**
 * Clears appended references whose target was removed since the check. A removal looks for references after its own
 * append, so the later append finds the other (docs/adr/0020).
 */
export const clearLateReferences = async (
  context: CommandContext,
  { author }: Run,
  holder: Thing,
  given: Fields,
  committed: Committed,
): Promise<Committed & { readonly cleared: readonly Cleared[] }> => {
  const own = await chainOf(context, holder.entity, { id: holder.id, input: {} })
  const cleared: Cleared[] = []
  for (const { path, to, id } of referencesIn(holder.entity, given)) {
    if (await isGone(context, { entity: to, id }, own)) cleared.push({ path, id })
  }
  if (cleared.length === 0) return { ...committed, cleared }
  const gone = new Set(cleared.map(({ id }) => id))
  const seed = derivedId(author.seed, 'cleared')
  return { ...((await clearReferences(context, { ...author, seed }, holder, gone)) ?? committed), cleared }
}

/** Takes ids out of all references of a thing; undefined where it holds none of them any more. */
export const clearReferences = async (
  context: CommandContext,
  author: Author,
  { entity, id }: Thing,
  gone: ReadonlySet<string>,
): Promise<Committed | undefined> => {
  for (;;) {
    const loaded = await context.loader.load(entity, id, { fresh: true })
    const { state } = loaded
    const fields = state.status === 'live' ? fieldsWithout(entity, state.fields, gone) : {}
    if (state.status !== 'live' || Object.keys(fields).length === 0) return undefined
    const target = { entity, id, level: state.level, loaded }
    try {
      const result = await commit(context, { author, reserved: new Map() }, target, [
        eventOf(entity, 'Changed', { fields }),
      ])
      return result.ok ? result.value : undefined
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}

const fieldsWithout = (entity: EntityDeclaration, fields: Fields, gone: ReadonlySet<string>): Fields => {
  const without = (value: Json): Json => (Array.isArray(value) ? value.filter(id => !gone.has(String(id))) : null)
  const paths = new Set(referencesIn(entity, fields).flatMap(({ path, id }) => (gone.has(id) ? [path] : [])))
  return Object.fromEntries([...paths].map(path => [path, without(fields[path] ?? null)]))
}

/** References that fields hold; the parent is none. */
const referencesIn = (entity: EntityDeclaration, fields: Fields) =>
  Object.entries(fields).flatMap(([path, value]) => {
    const to = entity.fields[path]?.to
    if (to === undefined || path === parentField(entity)) return []
    const ids = (Array.isArray(value) ? value : [value]).filter(id => typeof id === 'string')
    return ids.map(id => ({ path, to, id }))
  })

/** Waits for a target whose removal, or whose parent's removal, has begun. */
const isGone = async (
  context: CommandContext,
  { entity: name, id }: { readonly entity: string; readonly id: string },
  own: readonly string[],
): Promise<boolean> => {
  const entity = context.entityOf(name)
  if (entity === undefined) return false
  const roots = (await chainOf(context, entity, { id, input: {} })).filter(root => !own.includes(root))
  for (const root of roots) if (await context.processes.isBusy([root])) await context.processes.resume(root)
  const { state } = await context.loader.load(entity, id, { fresh: true })
  return state.status !== 'live'
}

/**
 * Changes whose files exist and may be used: files the entity already has and the caller's uploads. Names, types and
 * sizes come from the storage. Called last before the append, which keeps the files.
 */
export const claimFiles = async (
  files: Files,
  caller: Caller,
  entity: EntityDeclaration,
  present: Fields,
  changes: Fields,
): Promise<Result<Fields>> => {
  const given = filesIn(entity.fields, changes)
  if (given.length === 0) return accepted(changes)
  const held = new Map(filesIn(entity.fields, present).map(({ file }) => [file.id, file]))
  const errors: FieldError[] = []
  const stored = new Map<string, FileValue>()
  for (const each of given) {
    const known = held.get(each.file.id)
    const file = known ?? (await uploadOf(files, caller, each.file.id))
    const error = file === undefined ? { path: each.path, code: 'reference' as const } : misfit(each, file)
    if (error !== undefined) errors.push(error)
    else if (file !== undefined) stored.set(each.path, file)
  }
  if (errors.length > 0) return refused('validation.failed', { errors })
  for (const { id } of stored.values()) if (!held.has(id)) await files.keep(id)
  return accepted(withFiles(changes, stored))
}

/** A file that the caller has uploaded. */
export const uploadOf = async (files: Files, caller: Caller, id: string): Promise<FileValue | undefined> => {
  const found = await files.find(id)
  if (found === undefined || found.owner !== caller.user) return undefined
  const { owner: _owner, ...file } = found
  return file
}

/** The client's data was checked earlier; this checks the storage's data. */
const misfit = ({ path, field }: HeldFile, { type, size }: FileValue): FieldError | undefined => {
  if (!field.accept.some(accepted => accepted === type))
    return { path: `${path}.type`, code: 'option', params: { options: field.accept } }
  return size > field.maxBytes ? { path: `${path}.size`, code: 'toolarge', params: { max: field.maxBytes } } : undefined
}
