import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { objectOf, objectsOf } from '#schemas/json.ts'
import { NODE, signInAt } from '#test/api/harness.ts'
import { overlay } from '#test/cli/deployment.ts'
import { freePort } from '#test/doubles/free-port.ts'

const ROOT = realpathSync(fileURLToPath(new URL('../..', import.meta.url)))
const PASSWORD = 'Parley-2026!'
/** Calls that change files, and opens, whose flags say whether they write. */
const CALLS = 'trace=openat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir'

/** The objects of one gateway, and its places in the file system of a test. */
const objects = overlay('one')
const settings = objectOf(objects.find(({ kind }) => kind === 'ConfigMap')?.data) as Record<string, string>
const template = objectOf(objectOf(objects.find(({ kind }) => kind === 'StatefulSet')?.spec).template)
const [container = {}] = objectsOf(objectOf(template.spec).containers)

let folder = ''
let origin = ''
let child: ReturnType<typeof spawn> | undefined
let output = ''

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-pod-')))
  const place = (path: string): string => join(folder, path)
  for (const path of ['data', 'tmp', 'home', 'secrets']) mkdirSync(place(path))
  writeFileSync(place('secrets/PARLEY_KEY'), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o440 })
  writeFileSync(place('secrets/PARLEY_ADMIN_PASSWORD'), `${PASSWORD}\n`, { mode: 0o440 })
  chmodSync(place('home'), 0o500)
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  const env = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, value.replace('/run/secrets/parley', place('secrets'))]),
  )
  const own = { PORT: String(port), PARLEY_DATA: place('data'), HOME: place('home'), TMPDIR: place('tmp') }
  const around = ['-f', '-qq', '-e', CALLS, '-o', place('calls')]
  child = spawn('strace', [...around, NODE, join(ROOT, 'gateway', 'main.ts')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...env, ...own },
  })
  child.stdout?.on('data', chunk => {
    output += chunk
  })
  child.stderr?.on('data', chunk => {
    output += chunk
  })
  await vi.waitFor(() => expect(output).toContain('Parley is ready at'), { timeout: 90_000, interval: 100 })
}, 120_000)
afterAll(async () => {
  if (child !== undefined && child.exitCode === null) {
    process.kill(gatewayPid(), 'SIGKILL')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

/** strace passes no signal on: signals go to the gateway, which made the first call. */
const gatewayPid = (): number => Number(/^\d+/.exec(readFileSync(join(folder, 'calls'), 'utf8'))?.[0])

const probe = (name: string): string => {
  const { path, port } = objectOf(objectOf(container[name]).httpGet)
  expect(objectsOf(container.ports).find(each => each.name === port)?.containerPort).toBe(Number(settings.PORT))
  return String(path)
}

test('a gateway starts with the environment of the pod, and its probes name paths that answer [P-2609]', async () => {
  expect(output).toContain(`Parley is ready at ${settings.PUBLIC_URL}/botadmin/`)
  for (const name of ['startupProbe', 'livenessProbe', 'readinessProbe'])
    await vi.waitFor(async () => expect((await fetch(origin + probe(name))).status, name).toBe(200), {
      timeout: 30_000,
    })
  const admin = await signInAt(origin, 'admin', PASSWORD)
  expect((await admin.get('/bot')).status).toBe(200)
  expect((await admin.post('/bot', { name: 'Lume' })).status).toBe(201)
})

/** Paths that a line of strace changes; undefined for reads and for calls that failed. */
const written = (line: string): readonly string[] => {
  if (/ = -1 /.test(line)) return []
  if (line.includes('openat(') && !/O_WRONLY|O_RDWR|O_CREAT/.test(line)) return []
  return [...line.matchAll(/"(\/[^"]*)"/g)].map(([, path = '']) => path)
}

test('it ends on a signal, and has written to its volumes alone [P-2609]', async () => {
  const { terminationGracePeriodSeconds } = objectOf(template.spec) as JsonObject
  const began = Date.now()
  process.kill(gatewayPid(), 'SIGTERM')
  if (child?.exitCode === null) await once(child, 'exit')
  expect(Date.now() - began).toBeLessThan((Number(terminationGracePeriodSeconds) - 5) * 1000)
  const paths = new Set(readFileSync(join(folder, 'calls'), 'utf8').split('\n').flatMap(written))
  const volumes = [join(folder, 'data'), join(folder, 'tmp'), join(ROOT, '.cache'), '/dev/', '/proc/']
  expect([...paths].filter(path => path.startsWith(join(folder, 'data'))).length).toBeGreaterThan(3)
  expect([...paths].filter(path => !volumes.some(volume => path.startsWith(volume)))).toEqual([])
}, 60_000)
