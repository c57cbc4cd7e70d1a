import type { FileValue } from '#schemas/field/value-schema.ts'

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
