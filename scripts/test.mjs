// `npm test`: everything that a change needs, in the order in which a failure is cheapest to find. `--quick` stops after
// the unit tests, `--full` adds the long forms. Other arguments go to vitest, and then the tests alone run.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildGateway, buildWeb } from './build.mjs'
import { installPackages } from './install.mjs'
import { slowestFiles, usedSeconds } from './processor-time.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tell = line => process.stdout.write(`${line}\n`)
const started = performance.now()
const node = installPackages(root, tell)
const bin = join(root, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}:/usr/sbin:/usr/local/sbin` }

const modes = new Set(['--quick', '--full'])
const mode = process.argv.slice(2).find(argument => modes.has(argument))
const rest = process.argv.slice(2).filter(argument => !modes.has(argument))
if (mode === '--full') env.PARLEY_TESTS = 'full'

const isInstalled = program =>
  env.PATH.split(':').some(folder => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Debian packages that the tests drive Parley with. Tests fail without them. */
const NEEDS = [mode === '--full' ? 'chromium' : 'chromium-headless-shell', 'strace', 'nats-server']
const missing = mode === '--quick' ? [] : NEEDS.filter(program => !isInstalled(program))
if (missing.length > 0 && process.getuid?.() === 0 && isInstalled('apt-get')) {
  tell(`Installing ${missing.join(', ')} …`)
  const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: ['ignore', 'ignore', 'inherit'] }
  spawnSync('apt-get', ['update', '-qq'], quiet)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], quiet)
}

/** Resolves to the exit code of a program; its output comes at once when it has ended, so that two can run together. */
const check = (name, program, args) => {
  const output = []
  const run = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [run.stdout, run.stderr]) stream.on('data', chunk => output.push(chunk))
  return new Promise(resolve => {
    run.on('close', code => {
      tell(`\n── ${name}${code === 0 ? '' : ' failed'}`)
      process.stdout.write(Buffer.concat(output))
      resolve(code ?? 1)
    })
  })
}

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const checks =
  rest.length > 0
    ? []
    : [
        check('Lint', join(bin, 'biome'), ['check', '--error-on-warnings', '.']),
        // Each further checker repeats work of the others.
        check('Types', node, [tsc, '--noEmit', '--checkers', '1', '-p', '.']),
      ]
// Beside the checks: each of the three waits at times.
if (mode !== '--quick') {
  tell('\n── Builds')
  await buildWeb(root, node, tell)
  buildGateway(root, node, tell)
}
const failedCheck = (await Promise.all(checks)).find(code => code !== 0)
if (failedCheck !== undefined) process.exit(failedCheck)

// Most tests are not about disks: in memory, a sync costs nothing. Tests about disks use PARLEY_DISK.
env.PARLEY_DISK = tmpdir()
const memory = '/dev/shm'
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'parley-tests-'))
env.TMPDIR = folder
const cache = join(root, '.cache')
mkdirSync(cache, { recursive: true })
const report = join(cache, 'tests.json')
env.PARLEY_PROCESSOR_TIME = join(cache, 'processor-time.jsonl')
for (const file of [report, env.PARLEY_PROCESSOR_TIME]) rmSync(file, { force: true })

tell('\n── Tests')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const projects = mode === '--quick' ? ['--project=unit'] : []
const tests = spawnSync(node, [vitest, 'run', ...reporters, ...projects, ...rest], { cwd: root, env, stdio: 'inherit' })
rmSync(folder, { recursive: true, force: true })

tell('\nSlowest files, in seconds of processor time:')
for (const line of slowestFiles(env.PARLEY_PROCESSOR_TIME, root, 10)) tell(line)
const minutes = (performance.now() - started) / 60_000
const used = usedSeconds(env.PARLEY_PROCESSOR_TIME)
tell(`${minutes.toFixed(1)} minutes${used === undefined ? '' : `, ${used.toFixed(0)} s of processor time`}`)
const counted = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
const { numPassedTests: passed = 0, numFailedTests: failed = 0, numPendingTests: skipped = 0 } = counted ?? {}
tell(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(tests.status ?? 1)
