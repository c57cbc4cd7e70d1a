// `npm run bench [P1 P2 …]`: the benchmarks' table; nothing else should run on the machine meanwhile.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWeb } from './build.mjs'
import { installPackages } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tell = line => process.stderr.write(`${line}\n`)
const node = installPackages(root, tell)
// P6 opens the console, P7 weighs it.
await buildWeb(root, node, tell)
const bench = spawn(node, [join(root, 'test', 'bench', 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => bench.kill(signal))
bench.on('exit', code => process.exit(code ?? 1))
