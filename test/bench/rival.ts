import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const LISTED = join(import.meta.dirname, 'rival')
const FOLDER = join(import.meta.dirname, '../../.cache/rival')
const DONE = join(FOLDER, 'installed')

/**
 * Whether the packages that Parley is compared with, and does not itself use, are in .cache/rival: put there when first
 * asked. Not so without a registry.
 */
export const hasRivals = (): boolean => {
  const lock = readFileSync(join(LISTED, 'package-lock.json'), 'utf8')
  if (!existsSync(DONE) || readFileSync(DONE, 'utf8') !== lock) install(lock)
  return existsSync(DONE)
}

/** @throws Error when the package was not installed or cannot run here */
export const loadRival = <Package>(name: string): Package => createRequire(join(FOLDER, 'package.json'))(name)

function install(lock: string): void {
  rmSync(DONE, { force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(LISTED, file), join(FOLDER, file))
  process.stderr.write('Installing what Parley is compared with into .cache/rival …\n')
  const npm = (...args: string[]) => spawnSync('npm', [...args, '--prefix', FOLDER], { stdio: ['ignore', 2, 2] }).status
  if (npm('ci', '--omit=optional', '--ignore-scripts') !== 0) return
  // Its binary comes from elsewhere or from a compiler; without it the others can still be measured.
  npm('rebuild', 'sqlite3')
  writeFileSync(DONE, lock)
}
