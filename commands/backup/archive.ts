import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

/**
 * A tape archive (POSIX ustar) of plain files below one folder, which any tar can list and unpack. No library: `tar` and
 * `tar-stream` know links, devices and extended headers, each of which would have to be refused again.
 */
const BLOCK = 512
const MAX_OCTAL = 8 ** 11
const SIZE_AT = 124
const CHECKSUM_AT = 148

/** Writes the named files of a folder into one new file of the owner's alone. */
export const pack = async (folder: string, names: readonly string[], target: string): Promise<void> => {
  async function* blocks() {
    for (const name of names) {
      const { size } = statSync(join(folder, name))
      yield headerOf(name, size)
      yield* createReadStream(join(folder, name), { highWaterMark: 1024 * 1024 })
      yield Buffer.alloc(paddingOf(size))
    }
    yield Buffer.alloc(2 * BLOCK)
  }
  await pipeline(Readable.from(blocks()), createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }))
}

/**
 * Unpacks an archive into a folder: only files, and only those whose paths are expected.
 * @throws Error with one line when it is none, is cut off or holds something else
 */
export const unpack = async (file: string, folder: string, isExpected: (name: string) => boolean): Promise<void> => {
  const { size: length } = statSync(file)
  let at = 0
  for (;;) {
    const header = blockAt(file, at)
    if (header.every(byte => byte === 0)) return
    const { name, size } = entryOf(header, file)
    const start = at + BLOCK
    if (!isExpected(name)) throw new Error(`${file} holds ${JSON.stringify(name)}, which no backup has`)
    if (start + size > length) throw new Error(`${file} is cut off`)
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
    const target = createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600 })
    const part = size === 0 ? Readable.from([]) : createReadStream(file, { start, end: start + size - 1 })
    await pipeline(part, target)
    at = start + size + paddingOf(size)
  }
}

const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

const headerOf = (name: string, size: number): Buffer => {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  if (size < MAX_OCTAL) header.write(`${size.toString(8).padStart(11, '0')}\0`, SIZE_AT)
  else {
    header[SIZE_AT] = 0x80
    header.writeBigUInt64BE(BigInt(size), SIZE_AT + 4)
  }
  header.write(`${Math.floor(Date.now() / 1000).toString(8)}\0`.padStart(12, '0'), 136)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM_AT)
  return header
}

const entryOf = (header: Buffer, file: string): { name: string; size: number } => {
  const claimed = Number.parseInt(header.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + 8), 8)
  if (claimed !== checksumOf(header)) throw new Error(`${file} is not a backup, or damaged`)
  const isLarge = ((header[SIZE_AT] ?? 0) & 0x80) !== 0
  const octal = header.toString('latin1', SIZE_AT, SIZE_AT + 12)
  const size = isLarge ? Number(header.readBigUInt64BE(SIZE_AT + 4)) : Number.parseInt(octal, 8)
  return { name: header.toString('utf8', 0, 100).replace(/\0.*$/s, ''), size }
}

/** The sum of all bytes, the checksum's own taken as blanks. */
const checksumOf = (header: Buffer): number =>
  header.reduce((sum, byte, at) => sum + (at >= CHECKSUM_AT && at < CHECKSUM_AT + 8 ? 32 : byte), 0)

const blockAt = (file: string, at: number): Buffer => {
  const block = Buffer.alloc(BLOCK)
  const handle = openSync(file, 'r')
  try {
    if (readSync(handle, block, 0, BLOCK, at) < BLOCK) throw new Error(`${file} is cut off`)
    return block
  } finally {
    closeSync(handle)
  }
}

/** Part of a backup: the uploaded files of a data folder, as one archive. */
export const FILE_PART = 'files.tar'
const FOLDER = 'files'
const SHARD = /^[\da-f]{2}$/
const NAME = /^[\da-f]{2}\/[\da-f]{64}(?:\.json|\.kept)?$/
const KEPT_SUFFIX = '.kept'

/** Packs the files that were ever used; unused uploads may be swept at any moment. */
export const packFiles = async (folder: string, target: string): Promise<void> => {
  const root = join(folder, FOLDER)
  if (!existsSync(root)) return
  const names = readdirSync(root)
    .filter(shard => SHARD.test(shard))
    .flatMap(shard => readdirSync(join(root, shard)).map(name => `${shard}/${name}`))
  const kept = names.filter(name => name.endsWith(KEPT_SUFFIX)).map(name => name.slice(0, -KEPT_SUFFIX.length))
  if (kept.length === 0) return
  await pack(
    root,
    kept.flatMap(name => [name, `${name}.json`, name + KEPT_SUFFIX]),
    join(target, FILE_PART),
  )
}

/** @throws Error with one line */
export const unpackFiles = async (archive: string, folder: string): Promise<void> => {
  const root = join(folder, FOLDER)
  mkdirSync(root, { mode: 0o700 })
  await unpack(archive, root, name => NAME.test(name))
}

/** SHA-256 of a file, lower-case hex. */
export const digestOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}

export const MANIFEST = 'backup.json'

/** The conversation log, a separate store in the data folder (docs/adr/0022). */
export const CONVERSATION_PART = 'conversations.sqlite'
export const CONVERSATION_FOLDER = 'conversations'

/** Names that a backup may hold, and what a data folder may lack. */
export const PARTS = [
  'events.sqlite',
  CONVERSATION_PART,
  'keys.sqlite',
  'forgotten.txt',
  'parley.key',
  'parley.key.next',
  FILE_PART,
] as const

const partSchema = z.object({
  name: z.enum(PARTS),
  bytes: z.int(),
  sha256: z.string().regex(/^[\da-f]{64}$/),
})

/** Manifest of a backup; written last, so a backup without it is invalid. */
export const manifestSchema = z.object({
  format: z.literal('parley-backup'),
  version: z.literal(1),
  time: z.iso.datetime(),
  /** Id of the store. */
  store: z.string(),
  events: z.int(),
  parts: z.array(partSchema),
})

export type Manifest = z.infer<typeof manifestSchema>

/** A backup cannot be made or used. The message is the one line to print. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
