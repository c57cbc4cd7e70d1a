import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pack, unpack } from './archive.ts'

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
