import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { BackupRefused, MANIFEST, PARTS, pack, unpack } from '#commands/backup/archive.ts'
import { bringBack, takeBackup } from '#commands/backup/backup.ts'
import { openLog } from '#commands/integrity/open-log.ts'
import { finishForgetting, forgetListed } from '#commands/people/bootstrap.ts'
import type { Run } from './command.ts'
import { embeddedFolder, openFolder } from './open-folder.ts'
import { openProgress } from './progress.ts'
import { openCaughtUpReadModels } from './read-models.ts'
import { checkConversations, checkLog, tell } from './verify.ts'

/** `parley backup`. */
export const backup: Run = async ({ settings, operands }) => {
  const target = resolve(operands[0] ?? '')
  const isArchive = target.endsWith('.tar')
  if (existsSync(target)) throw new BackupRefused(`${target} is there already`)
  const folder = isArchive ? `${target}.folder` : target
  const progress = openProgress('Copying')
  try {
    const manifest = await takeBackup({
      folder: embeddedFolder(settings),
      key: settings.PARLEY_KEY,
      target: folder,
      progress: (done, total) => progress.at(done, total),
    })
    const names = manifest.parts.map(({ name }) => name)
    if (isArchive) {
      await pack(folder, [MANIFEST, ...names], `${target}.partial`)
      renameSync(`${target}.partial`, target)
    }
    progress.done(`${manifest.events.toLocaleString('en')} events`)
    process.stdout.write(`The backup is in ${target}\n`)
    if (settings.STORAGE_URL !== undefined)
      process.stdout.write('Uploaded files lie in STORAGE_URL and are not in it: copy that folder after this.\n')
    if (names.includes('parley.key'))
      process.stdout.write('It holds the key as well: keep it where only you can read it.\n')
    return 0
  } finally {
    if (isArchive) for (const rest of [folder, `${target}.partial`]) rmSync(rest, { recursive: true, force: true })
  }
}

const NAMES: ReadonlySet<string> = new Set([MANIFEST, ...PARTS])

/** `parley restore`. */
export const restore: Run = async ({ settings, operands, options }) => {
  const given = resolve(operands[0] ?? '')
  const folder = embeddedFolder(settings)
  if (!existsSync(given)) throw new BackupRefused(`There is no ${given}`)
  const listed = typeof options.forgotten === 'string' ? readFileSync(options.forgotten, 'utf8').split('\n') : []
  const isArchive = statSync(given).isFile()
  const from = isArchive ? `${folder}.unpacked` : given
  try {
    if (isArchive) {
      mkdirSync(from, { mode: 0o700 })
      await unpack(given, from, name => NAMES.has(name))
    }
    const progress = openProgress('Copying')
    const forgotten = listed.filter(line => line !== '')
    const manifest = await bringBack({ from, folder, forgotten, progress: (done, total) => progress.at(done, total) })
    progress.done(`the backup of ${manifest.time}`)
    await using open = await openFolder(settings)
    await using log = await openLog(settings)
    await finishForgetting(open.store, open.keys)
    const found = await checkLog(open.store, manifest.events)
    const read = await openCaughtUpReadModels(open, settings, manifest.events)
    try {
      const position = await forgetListed({ store: open.store, keys: open.keys, lookup: read.lookup })
      if (position !== undefined) await read.reached(position)
    } finally {
      await read.close()
    }
    return tell(found, await checkConversations(log.conversations), undefined)
  } finally {
    if (isArchive) rmSync(from, { recursive: true, force: true })
  }
}
