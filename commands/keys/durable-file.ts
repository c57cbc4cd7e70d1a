import { closeSync, existsSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '#commands/store/embedded/sqlite-file.ts'
import { StoreReadOnly } from '#commands/store/port.ts'

/**
 * Writes a small file of the owner's alone; durable, name and content, when it returns.
 * @throws StoreReadOnly with one line
 */
export function writeDurably(file: string, text: string, mode: 'replace' | 'append'): void {
  try {
    const isNew = !existsSync(file)
    const handle = openSync(file, mode === 'append' ? 'a' : 'w', 0o600)
    try {
      writeSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    if (isNew) syncFolder(dirname(file))
  } catch (error) {
    throw new StoreReadOnly(`${file} cannot be written (${error instanceof Error ? error.message : error})`)
  }
}
