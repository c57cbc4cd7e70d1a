// `npm run test:faults`: every fault in its full form; hours. File arguments choose some, `--seed=7` makes other random
// choices, `--R1=50` sets a size (R1 rounds, R2 frames, R3 operations, R3_SEEDS, R6 takers, R7 rounds, R7_EDITS, R9
// events, R10 commands, SOCKETS, TURNS, KILLS, NODE_KILLS, CAMPAIGN_KILLS, DEATHS, TALKS, SOAK minutes). Prints the
// figures as each ends; docs/reliability.md keeps them.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const node = installPackages(root, line => process.stdout.write(`${line}\n`))
const env = {
  ...process.env,
  PARLEY_FAULTS: 'full',
  PARLEY_TESTS: 'full',
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
}

const chosen = []
for (const argument of process.argv.slice(2)) {
  const [, name, value] = /^--(\w+)=(\d+)$/.exec(argument) ?? []
  if (name === undefined) chosen.push(argument)
  else env[`PARLEY_${name.toUpperCase()}`] = value
}

const run = (...args) => spawnSync(node, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1
const SOAK = 'soak'
const files = chosen.filter(name => name !== SOAK)
const statuses = []
if (chosen.length === 0 || files.length > 0) {
  const which = files.length > 0 ? files.map(name => join('test', 'fault', name)) : [join('test', 'fault')]
  // Runs one at a time: each keeps the machine busy alone.
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  statuses.push(run(vitest, 'run', '--no-file-parallelism', ...which))
}
if (chosen.length === 0 || chosen.includes(SOAK)) statuses.push(run(join(root, 'test', 'fault', 'soak.ts')))
process.exit(statuses.find(status => status !== 0) ?? 0)
