// `npm run bench [P1 P2 …]`: the benchmarks' table; nothing else should run on the machine meanwhile.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const node = installPackages(root, line => process.stderr.write(`${line}\n`))
const run = spawnSync(node, [join(root, 'test', 'bench', 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(run.status ?? 1)
