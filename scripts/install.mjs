// Installs the packages when what is installed is not what the lock file says. Plain JavaScript: it runs before Node 24 is there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const stampOf = root =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')

/** Path of the Node 24 that the packages carry; ends the process with npm's own words when they cannot be installed. */
export const installPackages = (root, tell) => {
  const stampFile = join(root, 'node_modules', '.parley-installed')
  const node = join(root, 'node_modules', '.bin', 'node')
  const stamp = stampOf(root)
  const current = existsSync(node) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if (!current) {
    tell('Installing packages, Node 24 among them (once, about a minute) …')
    const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
    if (npm.status !== 0) {
      tell('The packages could not be installed: npm ci failed, see above.')
      process.exit(1)
    }
    writeFileSync(stampFile, stamp)
  }
  return node
}
