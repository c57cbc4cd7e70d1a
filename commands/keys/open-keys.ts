import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareFolder } from '#commands/store/embedded/folder-lock.ts'
import { storageError } from '#commands/store/embedded/message.ts'
import { ensureSqliteFile } from '#commands/store/embedded/sqlite-file.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { writeDurably } from '../store/embedded/sqlite-file.ts'
import { fittingKey, type KeyPlace, KeyRing, type KeysReader, KeyTable, keyFormat, reading } from './key-ring.ts'
import { adoptMasterKey, createMasterKey, masterKeys, stageMasterKey, wrappingKey } from './master-key.ts'
import { KeyRefused, seal, UserForgotten } from './secret.ts'

/**
 * Ids of forgotten users, one a line, append-only. Stored beside the keys, not among them: it survives a restored
 * backup of the keys, and opening them destroys the restored keys of these users.
 */
export class ForgottenList {
  private readonly file: string

  constructor(folder: string) {
    this.file = join(folder, 'forgotten.txt')
  }

  read(): Set<string> {
    if (!existsSync(this.file)) return new Set()
    return new Set(readFileSync(this.file, 'utf8').split('\n').filter(Boolean))
  }

  /** Durable when it returns. */
  add(users: readonly string[]): void {
    writeDurably(this.file, users.map(user => `\n${user}\n`).join(''), 'append')
  }
}

interface OpenKeys extends KeyPlace {
  /** False when events exist: missing keys are then refused, not created. Default true. */
  readonly create?: boolean
}

/** Secrets and personal data, sealed before they become events. All calls are synchronous and cheap. */
export interface FileKeys extends KeysReader {
  readonly secret: KeysReader['secret'] & {
    /** `{"$secret": …}` under the newest data key; it opens only with the same context. */
    encrypt(value: Json, context: string): JsonObject
  }
  readonly personal: KeysReader['personal'] & {
    /** `{"$personal": …}` under the user's own key, which is durable before its first use. @throws UserForgotten */
    encrypt(user: string, value: Json, context: string): JsonObject
    /** Destroys the user's key permanently; no byte of it stays in the file. May be repeated. */
    forget(user: string): void
    forgotten(): ReadonlySet<string>
  }
  /** New secrets get a new data key; old ones stay readable. */
  rotate(): void
  /** Wraps all keys with another PARLEY_KEY and replaces the key file, if there is one. */
  rewrap(key: string): void
}

/**
 * Opens the keys of a data folder, or makes them; destroys again the keys of forgotten users that a backup brought back.
 * @throws KeyRefused, StoreCorrupt or StoreReadOnly, each with one line to print
 */
export function openKeys(options: OpenKeys): FileKeys {
  const table = openTable(options)
  const ring = new KeyRing(table, fittingKey(table, options))
  const list = new ForgottenList(options.folder)
  table.finishScrub()
  reapply(table, list)
  return writing(ring, list, options)
}

function openTable({ folder, key, create = true }: OpenKeys): KeyTable {
  const file = join(folder, 'keys.sqlite')
  prepareFolder(folder)
  try {
    if (!create && !existsSync(file)) throw new KeyRefused(`${file} is missing although there is data`)
    const [wrapping = Buffer.alloc(0)] = existsSync(file) ? [] : masterKeysOrNew(folder, key)
    ensureSqliteFile(file, keyFormat(wrapping))
    return new KeyTable(file, false)
  } catch (error) {
    throw storageError(error, file)
  }
}

function masterKeysOrNew(folder: string, key: string | undefined): Buffer[] {
  const present = masterKeys(folder, key)
  return present.length > 0 ? present : [createMasterKey(folder)]
}

function reapply(table: KeyTable, list: ForgottenList): void {
  const listed = list.read()
  const applied = table.forgotten()
  const unlisted = [...applied.difference(listed)]
  const unapplied = listed.difference(applied)
  if (unlisted.length > 0) list.add(unlisted)
  if (unapplied.size > 0) table.forget(unapplied)
}

function writing(ring: KeyRing, list: ForgottenList, { folder, key }: OpenKeys): FileKeys {
  const { table } = ring
  const userKey = (user: string): Buffer => {
    const present = ring.userKey(user)
    if (present) return present
    if (table.isForgotten(user)) throw new UserForgotten(`User ${user} was forgotten`)
    table.addUserKey(ring.wrapping, user)
    return userKey(user)
  }
  const read = reading(ring)
  return {
    ...read,
    secret: {
      ...read.secret,
      encrypt: (value, context) => {
        const newest = ring.newestSecret()
        return seal('$secret', newest.id, newest.key, value, context)
      },
    },
    personal: {
      ...read.personal,
      encrypt: (user, value, context) => seal('$personal', '', userKey(user), value, context),
      forget: user => {
        if (!list.read().has(user)) list.add([user])
        ring.dropUsers()
        table.forget([user])
      },
      forgotten: () => table.forgotten(),
    },
    rotate: () => {
      table.addDataKey(ring.wrapping, 'secret')
      ring.reload()
    },
    rewrap: next => {
      const to = wrappingKey(next, 'The new key')
      if (key === undefined) stageMasterKey(folder, next)
      table.rewrap(ring.wrapping, to)
      if (key === undefined) adoptMasterKey(folder)
      ring.wrapping = to
    },
  }
}
