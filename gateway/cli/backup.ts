import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { BackupRefused, MANIFEST, pack } from '#commands/backup/archive.ts'
import { takeBackup } from '#commands/backup/take-backup.ts'
import type { Run } from './command.ts'
import { embeddedFolder } from './open-folder.ts'
import { openProgress } from './progress.ts'

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
