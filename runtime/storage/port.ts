import type { Files, StoredFile } from '#commands/file/port.ts'
import type { FileType } from '#schemas/field/file-type.ts'

export interface Upload {
  readonly content: Buffer
  /** The name on the person's computer: only shown, never used as a path. */
  readonly name: string
  readonly type: FileType
  readonly owner: string
}

/** Uploaded files, in the storage of STORAGE_URL. */
export interface FileStorage extends Files {
  /** @throws StoreReadOnly when the storage is full or read-only; StoreUnavailable, as of every call, when it can not be reached */
  put(upload: Upload): Promise<StoredFile>
  read(id: string): Promise<{ readonly file: StoredFile; readonly content: Buffer } | undefined>
  /** Deletes a file, kept or not. Idempotent. */
  remove(id: string): Promise<void>
  /** Deletes uploads that were not used within a day. Returns their number. */
  sweep(): Promise<number>
}
