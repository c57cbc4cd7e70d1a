import type { Files, StoredFile } from '#commands/file/port.ts'
import type { FileType } from '#schemas/field/file-type.ts'

export interface Upload {
  readonly content: Buffer
  /** As the person's machine names it: shown, never a path. */
  readonly name: string
  readonly type: FileType
  readonly owner: string
}

/** Uploaded files, wherever STORAGE_URL keeps them. */
export interface FileStorage extends Files {
  /** @throws StoreReadOnly when the storage is full or read-only; StoreUnavailable, as of every call, when it can not be reached */
  put(upload: Upload): Promise<StoredFile>
  read(id: string): Promise<{ readonly file: StoredFile; readonly content: Buffer } | undefined>
  /** Removes a file for ever, kept or not. May be repeated. */
  remove(id: string): Promise<void>
  /** Removes uploads that nothing used within a day. Answers how many. */
  sweep(): Promise<number>
}
