import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY = /^Parley is ready at (\S+)$/m
const LONG = 300_000

interface Started {
  readonly url: string
  readonly output: string
  end(): Promise<number | null>
}

let folder: string
let clone: string
const running = new Set<ChildProcess>()
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-start-'))
  clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone])
}, LONG)
afterAll(() => {
  for (const child of running) signal(child, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}, LONG)

/** npm and what it started, which share a group of their own. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid !== undefined) process.kill(-child.pid, name)
}

/** `npm start` as a new user runs it, without what the test runner put into the environment. */
async function npmStart(): Promise<Started> {
  const { NODE_ENV: _mode, VITEST: _runner, CI: _ci, ...env } = process.env
  const child = spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    env: { ...env, PORT: '0', PARLEY_DATA: join(folder, 'data') },
  })
  running.add(child)
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const heard = (chunk: Buffer) => {
      output += chunk
      const found = READY.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', heard)
    child.stderr.on('data', heard)
    child.on('exit', code => reject(new Error(`npm start ended with ${code}: ${output}`)))
  })
  const gone = new Promise<number | null>(resolve => child.on('exit', resolve))
  return {
    url,
    output,
    end: async () => {
      // Signals npm alone, as a supervisor does.
      child.kill('SIGTERM')
      const code = await gone
      running.delete(child)
      return code
    },
  }
}

const signIn = async (url: string, password: string) => {
  const answer = await fetch(new URL('/botadmin/api/auth/login', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  return answer.status
}

test(
  'becomes ready in a fresh clone with npm start alone, accepts its printed password, and restarts without preparing again',
  async () => {
    const first = await npmStart()
    expect(first.output).toContain('Installing packages')
    expect(first.output).toContain('Building the console')
    const password = /^The password of admin is (\S+) /m.exec(first.output)?.[1] ?? ''
    expect(await signIn(first.url, password), first.output).toBe(200)
    const page = await (await fetch(first.url)).text()
    expect(page).toContain('<div id="root"')
    const script = /src="([^"]+\.js)"/.exec(page.slice(page.indexOf('type="module"')))?.[1] ?? ''
    expect((await fetch(new URL(script, first.url))).status).toBe(200)
    expect(await first.end()).toBe(0)

    const second = await npmStart()
    expect(second.output).not.toMatch(/Installing|Building|password/i)
    expect(await signIn(second.url, password)).toBe(200)
    expect(await second.end()).toBe(0)
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' }), 'leaves no traces').toBe(
      '',
    )
  },
  LONG,
)
