import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { decrypt, KeyRefused } from '../keys/cipher.ts'
import { ForgottenList } from '../keys/forgotten-list.ts'
import { dataBinding, type GivenKeys, KeyTable, keyFormat, userBinding } from '../keys/key-table.ts'
import { wrappingKey } from '../keys/master-key.ts'
import { fittingKey, type KeyPlace } from '../keys/open-keys-reader.ts'
import { ensureSqliteFile } from '../store/embedded/sqlite-file.ts'
import type { KeyCopy } from './copy-port.ts'

type Place = Required<KeyPlace> & { readonly key: string }

const PURPOSES = ['secret', 'index'] as const
const fileIn = (folder: string) => join(folder, 'keys.sqlite')

/**
 * All keys of an embedded store, unwrapped, and who was forgotten.
 * @throws KeyRefused with one line
 */
export const readFolderKeys = (place: Place): GivenKeys => {
  const table = new KeyTable(fileIn(place.folder), true)
  const wrapping = fittingKey(table, place)
  try {
    const data = PURPOSES.flatMap(purpose =>
      table.dataKeys(purpose).map(({ id, wrapped }) => ({
        id,
        purpose,
        key: decrypt(wrapping, wrapped, dataBinding(purpose, id)),
      })),
    )
    const forgotten = table.forgotten().union(new ForgottenList(place.folder).read())
    const users = new Map(
      [...table.userKeys()]
        .filter(({ user }) => !forgotten.has(user))
        .map(({ user, wrapped }) => [user, decrypt(wrapping, wrapped, userBinding(user))] as const),
    )
    return { data, users, forgotten }
  } finally {
    wrapping.fill(0)
    table.close()
  }
}

/** Carries keys into a folder. They come last: no gateway opens a folder that has events and no keys. */
export const copyKeysToFolder = (place: Place, given: GivenKeys): KeyCopy => ({
  begin() {
    if (!existsSync(fileIn(place.folder))) return
    const present = readFolderKeys(place).data
    const isSame = given.data.every(({ id, key }) => present.find(other => other.id === id)?.key.equals(key))
    if (!isSame) throw new KeyRefused(`${place.folder} holds keys of another log`)
  },
  finish() {
    const { folder, key } = place
    const list = new ForgottenList(folder)
    const unlisted = new Set(given.forgotten).difference(list.read())
    if (unlisted.size > 0) list.add([...unlisted])
    ensureSqliteFile(fileIn(folder), keyFormat(wrappingKey(key, 'PARLEY_KEY'), given))
  },
})
