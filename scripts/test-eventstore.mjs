// `npm run test:eventstore`: the store's contract against a real server, then the adapter's faults and the whole API suite
// before the double, because each file of that suite needs an empty store. The server is the one at EVENTSTORE_URL (its
// events stay there), else one in a container where an engine answers, else the double again.
import { execFileSync, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildWeb } from './build.mjs'
import { installPackages } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tell = line => process.stdout.write(`${line}\n`)
const node = installPackages(root, tell)
await buildWeb(root, node, tell)
const bin = join(root, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }

const IMAGE = process.env.EVENTSTORE_IMAGE ?? 'eventstore/eventstore:23.10.1-jammy'
const START_SECONDS = 60

const vitest = (settings, ...files) => {
  const args = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...files]
  return spawnSync(node, args, { cwd: root, env: { ...env, ...settings }, stdio: 'inherit' }).status ?? 1
}

const engine = ['docker', 'podman'].find(
  program => spawnSync(program, ['info'], { env, stdio: 'ignore', timeout: 10_000 }).status === 0,
)

const isReady = async address => {
  try {
    return (await fetch(`http://${address}/health/live`)).ok
  } catch {
    return false
  }
}

/** A server in a container, its events in memory. */
const startContainer = async () => {
  tell(`Starting ${IMAGE} with ${engine} …`)
  const run = ['run', '--rm', '--detach', '--publish', '127.0.0.1::2113', IMAGE]
  const options = ['--insecure', '--mem-db', '--run-projections=None']
  const id = execFileSync(engine, [...run, ...options], { env, encoding: 'utf8' }).trim()
  const stop = () => spawnSync(engine, ['kill', id], { env, stdio: 'ignore' })
  const [address] = execFileSync(engine, ['port', id, '2113/tcp'], { env, encoding: 'utf8' }).trim().split('\n')
  for (let second = 0; second < START_SECONDS; second++) {
    if (await isReady(address)) return { url: `esdb://${address}?tls=false`, stop }
    await pause(1000)
  }
  stop()
  throw new Error(`${IMAGE} did not start in ${START_SECONDS} s`)
}

const container = env.EVENTSTORE_URL === undefined && engine !== undefined ? await startContainer() : undefined
const url = env.EVENTSTORE_URL ?? container?.url
if (url === undefined) tell('No EVENTSTORE_URL, and no container engine answers: the double stands for the server.')

const statuses = []
try {
  statuses.push(vitest(url === undefined ? {} : { EVENTSTORE_URL: url }, 'test/contract/store/eventstoredb.test.ts'))
  delete env.EVENTSTORE_URL
  statuses.push(
    vitest({ PARLEY_TEST_STORE: 'eventstoredb' }, 'test/contract/store/eventstoredb-fault.test.ts', 'test/api'),
  )
} finally {
  container?.stop()
}
process.exit(statuses.find(status => status !== 0) ?? 0)
