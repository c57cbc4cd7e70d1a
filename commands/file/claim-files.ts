import type { Fields } from '#domain/entity.ts'
import { filesIn, type HeldFile, withFiles } from '#domain/field/stored-items.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { FileValue } from '#schemas/field/value-schema.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Caller } from '../port.ts'

/** An upload as it is kept. */
export interface StoredFile extends FileValue {
  /** User id of the person who uploaded it. */
  readonly owner: string
}

/** File storage, as used by commands. */
export interface Files {
  /** Undefined for what is not there, or was never used and is about to be swept. */
  find(id: string): Promise<StoredFile | undefined>
  /** Exempts a file from the sweep of unused uploads, for ever: a restore may need it. May be repeated. */
  keep(id: string): Promise<void>
}

/** Without storage there is no file. */
export const NO_FILES: Files = { find: async () => undefined, keep: async () => undefined }

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
