import type { Readable } from 'node:stream'
import type { Files, StoredFile } from '#commands/port.ts'
import type { FileType } from '#schemas/field/file-type.ts'

export interface Upload {
  readonly content: Buffer
  /** The name on the person's computer: only shown, never used as a path. */
  readonly name: string
  readonly type: FileType
  readonly owner: string
}

/** The bot of a chat keeps too many bytes of files already. */
export class BotFilesFull extends Error {
  constructor() {
    super('the bot keeps too many bytes of files')
  }
}

/** A file that arrived whole and is not stored yet: exactly one of `store` and `discard` is called. */
interface Received {
  /** SHA-256 of the content, hex. */
  readonly hash: string
  readonly size: number
  /** By its content; undefined for a type that is not accepted. */
  readonly type: FileType | undefined
  store(type: FileType, owner: string): Promise<StoredFile>
  discard(): Promise<void>
}

interface Incoming {
  /** An error of it leaves nothing behind. */
  readonly content: AsyncIterable<Buffer>
  readonly name: string
  /** The conversation that will own the file: its bot needs room for it. */
  readonly conversation?: string
}

/** Uploaded files, in the storage of STORAGE_URL. */
export interface FileStorage extends Files {
  /** @throws StoreReadOnly when the storage is full or read-only; StoreUnavailable, as of every call, when it can not be reached */
  put(upload: Upload): Promise<StoredFile>
  /** Takes a file while it arrives, a few MB of it in memory. @throws as `put`, and what its content throws */
  receive(incoming: Incoming): Promise<Received>
  read(id: string): Promise<{ readonly file: StoredFile; readonly content: Buffer } | undefined>
  /** The content as a stream, which is to be read or destroyed. */
  open(id: string): Promise<{ readonly file: StoredFile; readonly content: Readable } | undefined>
  /** Deletes a file, kept or not. Idempotent. */
  remove(id: string): Promise<void>
  /** Deletes the files of a conversation, kept or not. Idempotent. */
  removeOf(conversation: string): Promise<void>
  /** Conversations that own files. */
  conversations(): AsyncIterable<string>
  /** Files of conversations, each with its bytes. */
  owned(): AsyncIterable<{ readonly conversation: string; readonly bytes: number }>
  /** Deletes uploads that were not used within a day. Returns their number. */
  sweep(): Promise<number>
}
