import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredFile } from '#commands/port.ts'
import { storageError } from '#commands/store/embedded/message.ts'
import { FILE_ID } from '#schemas/field/file-type.ts'
import {
  createMeter,
  ID_LENGTH,
  newStoredFile,
  ownedBytes,
  ownedName,
  ownerConversation,
  randomFileId,
  readStoredFile,
  SWEEP_GRACE_MS,
  UNUSED_MS,
} from './received-content.ts'
import type { FileStorage } from './storage-port.ts'

/** Ends the name of a file that arrives. The sweep removes those that the end of a process left. */
const ARRIVING = '.part'
/** Folder of a folder for each conversation, with an empty file for each of its files, whose name holds id and bytes. */
const OWNED = 'of'

/** Writes the metadata of a file, and its content by `place`. */
const writerOf =
  (root: string, shardOf: (id: string) => string, ofConversation: (conversation: string) => string) =>
  async (file: StoredFile, place: (path: string) => Promise<void>): Promise<StoredFile> => {
    const { id, owner } = file
    const path = join(shardOf(id), id)
    try {
      await mkdir(shardOf(id), { recursive: true, mode: 0o700 })
      const conversation = ownerConversation(owner)
      // Written first: a file without it would outlive its conversation.
      if (conversation !== undefined) {
        await mkdir(ofConversation(conversation), { recursive: true, mode: 0o700 })
        await writeWhole(join(ofConversation(conversation), ownedName(file)), Buffer.alloc(0))
      }
      await place(path)
      await writeWhole(`${path}.json`, Buffer.from(JSON.stringify(file)))
    } catch (error) {
      throw storageError(error, root)
    }
    return file
  }

/** Writes a content while it arrives; leaves nothing behind when it ends with an error. */
const arrivedAt = async (root: string, path: string, name: string, content: AsyncIterable<Buffer>) => {
  const failed = (error: unknown) => {
    throw storageError(error, root)
  }
  const meter = createMeter(name)
  try {
    const handle = await open(path, 'wx', 0o600).catch(failed)
    try {
      for await (const chunk of content) {
        meter.add(chunk)
        await handle.writeFile(chunk).catch(failed)
      }
      await handle.sync().catch(failed)
    } finally {
      await handle.close()
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return meter.end()
}

/** Files of conversations. */
const ownedIn = (
  folder: string,
  remove: (id: string) => Promise<void>,
  sizeOf: (id: string) => Promise<number>,
): Pick<FileStorage, 'removeOf' | 'conversations' | 'owned'> => ({
  async removeOf(conversation) {
    const owned = join(folder, conversation)
    for (const id of (await readdir(owned).catch(ifMissing)) ?? []) await remove(id.slice(0, ID_LENGTH))
    await rm(owned, { recursive: true, force: true })
  },
  async *conversations() {
    yield* (await readdir(folder).catch(ifMissing)) ?? []
  },
  async *owned() {
    for (const conversation of (await readdir(folder).catch(ifMissing)) ?? [])
      for (const name of (await readdir(join(folder, conversation)).catch(ifMissing)) ?? [])
        yield { conversation, bytes: ownedBytes(name) ?? (await sizeOf(name.slice(0, ID_LENGTH))) }
  },
})

const receiverOf =
  (root: string, shardOf: (id: string) => string, write: ReturnType<typeof writerOf>): FileStorage['receive'] =>
  async ({ content, name }) => {
    const id = randomFileId()
    const path = join(shardOf(id), id + ARRIVING)
    await mkdir(shardOf(id), { recursive: true, mode: 0o700 }).catch(error => {
      throw storageError(error, root)
    })
    const met = await arrivedAt(root, path, name, content)
    return {
      ...met,
      discard: () => rm(path, { force: true }),
      store: (type, owner) => write({ id, name, type, size: met.size, owner }, to => rename(path, to)),
    }
  }

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

  const ofConversation = (conversation: string) => join(root, OWNED, conversation)

  const write = writerOf(root, shardOf, ofConversation)
  const remove = async (id: string): Promise<void> => {
    if (!FILE_ID.test(id)) return
    for (const end of ['', '.json', '.kept']) await rm(pathOf(id) + end, { force: true })
  }

  return {
    put: upload => write(newStoredFile(upload), path => writeWhole(path, upload.content)),

    receive: receiverOf(root, shardOf, write),

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

    async open(id) {
      const file = await known(id)
      const handle = file && (await open(pathOf(id)).catch(ifMissing))
      return file === undefined || handle === undefined ? undefined : { file, content: handle.createReadStream() }
    },

    remove,

    ...ownedIn(join(root, OWNED), remove, async id => (await stat(pathOf(id)).catch(ifMissing))?.size ?? 0),

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
      if (name.endsWith('.json')) await removeOwned(root, path)
      await rm(path, { force: true })
      if (FILE_ID.test(name)) swept += 1
    }
  }
  return swept
}

/** Removes the mark that a conversation owns a file. */
const removeOwned = async (root: string, path: string): Promise<void> => {
  const text = await readFile(path, 'utf8').catch(ifMissing)
  const file = text === undefined ? undefined : readStoredFile(text)
  const conversation = ownerConversation(file?.owner ?? '')
  if (file !== undefined && conversation !== undefined)
    await rm(join(root, OWNED, conversation, ownedName(file)), { force: true })
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
