import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredFile } from '#commands/file/port.ts'
import { storageError } from '#commands/store/embedded/failure.ts'
import { FILE_ID } from '#schemas/field/value-schema.ts'
import type { FileStorage } from './port.ts'
import { newStoredFile, readStoredFile, SWEEP_GRACE_MS, UNUSED_MS } from './stored-file.ts'

/**
 * Files in a folder: `ab/<id>` is the content, `ab/<id>.json` its metadata, `ab/<id>.kept` marks it as used. User input
 * never becomes part of a path.
 */
export const openFolderStorage = async (root: string, now: () => number = Date.now): Promise<FileStorage> => {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const shardOf = (id: string) => join(root, id.slice(0, 2))
  const pathOf = (id: string) => join(shardOf(id), id)
  const isKept = (id: string) => exists(`${pathOf(id)}.kept`)

  const known = async (id: string): Promise<StoredFile | undefined> => {
    if (!FILE_ID.test(id)) return undefined
    const text = await readFile(`${pathOf(id)}.json`, 'utf8').catch(ifMissing)
    return text === undefined ? undefined : readStoredFile(text)
  }

  return {
    async put(upload) {
      const file = newStoredFile(upload)
      const { id } = file
      try {
        await mkdir(shardOf(id), { recursive: true, mode: 0o700 })
        await writeWhole(pathOf(id), upload.content)
        await writeWhole(`${pathOf(id)}.json`, Buffer.from(JSON.stringify(file)))
      } catch (error) {
        throw storageError(error, root)
      }
      return file
    },

    async find(id) {
      const file = await known(id)
      if (file === undefined || (await isKept(id))) return file
      const { mtimeMs } = await stat(`${pathOf(id)}.json`)
      return now() - mtimeMs < UNUSED_MS ? file : undefined
    },

    async keep(id) {
      if (!FILE_ID.test(id) || (await isKept(id))) return
      await writeWhole(`${pathOf(id)}.kept`, Buffer.alloc(0)).catch(error => {
        throw storageError(error, root)
      })
    },

    async read(id) {
      const file = await known(id)
      const content = file && (await readFile(pathOf(id)).catch(ifMissing))
      return file === undefined || content === undefined ? undefined : { file, content }
    },

    async remove(id) {
      if (!FILE_ID.test(id)) return
      for (const end of ['', '.json', '.kept']) await rm(pathOf(id) + end, { force: true })
    },

    sweep: () => sweepFolder(root, now, isKept),
  }
}

/** Removes files that were unused for long enough; returns their number. */
const sweepFolder = async (
  root: string,
  now: () => number,
  isKept: (id: string) => Promise<boolean>,
): Promise<number> => {
  let swept = 0
  for (const shard of await readdir(root)) {
    if (!/^[\da-f]{2}$/.test(shard)) continue
    const names = await readdir(join(root, shard))
    const kept = new Set(names.filter(name => name.endsWith('.kept')).map(name => name.slice(0, 64)))
    for (const name of names.filter(each => !kept.has(each.slice(0, 64)))) {
      const path = join(root, shard, name)
      const { mtimeMs } = (await stat(path).catch(ifMissing)) ?? { mtimeMs: now() }
      if (now() - mtimeMs < UNUSED_MS + SWEEP_GRACE_MS || (await isKept(name.slice(0, 64)))) continue
      await rm(path, { force: true })
      if (FILE_ID.test(name)) swept += 1
    }
  }
  return swept
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(ifMissing)) !== undefined

const ifMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** Atomic for readers, and durable once it resolves. */
const writeWhole = async (path: string, content: Buffer): Promise<void> => {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
}
