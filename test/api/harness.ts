import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WIDE_LIMITS } from '#test/fixture/wide-limits.ts'
import { dropStore, storeOf } from './store-behind.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const NODE = join(ROOT, 'node_modules', '.bin', 'node')
/** A test that is ended leaves no gateway behind. */
const END_WITH_PARENT = join(import.meta.dirname, 'end-with-parent.mjs')
/** The sources; a bundle has its own file. */
const MAIN = join(ROOT, 'gateway', 'main.ts')
const READY = /^Parley is ready at (\S+)$/m

export const ADMIN_PASSWORD = 'Parley-2026!'

/** A gateway under test. */
export interface Parley {
  /** Without a slash at its end. */
  readonly origin: string
  readonly folder: string
  signIn(username?: string, password?: string): Promise<Client>
  /** The API without a session. */
  readonly anyone: Client
  /** Ends the gateway and removes its folder. */
  close(): Promise<void>
}

/** A gateway in a separate process. */
export interface ParleyProcess extends Parley {
  readonly pid: number
  /** Standard output so far. */
  output(): string
  /** Sends a signal; returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Without a member when the body is no JSON. */
  readonly body: Body
}
/** Members of any response body that tests read. */
interface Body {
  readonly [member: string]: unknown
  readonly id: string
  readonly revision: number
  readonly code: string
  readonly detail: string
  readonly total: number
  readonly ticket: string
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly errors: readonly { readonly path: string; readonly code: string }[]
  readonly operators: Readonly<Record<string, { readonly title: string }>>
  readonly links: Readonly<Record<string, object>>
}

export interface Client {
  readonly token: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Replaces any revision unless `headers` names one. */
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown, revision: number | string, headers?: Record<string, string>): Promise<Answer>
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Creates a thing; answers its id. */
  create(entity: string, fields: object): Promise<string>
  /** Creates a bot, a task in it and a dialog in that; answers their ids. */
  createDialog(bot: object, task: string, dialog: string): Promise<Readonly<Record<'bot' | 'task' | 'dialog', string>>>
  send(method: string, path: string, init?: RequestInit): Promise<Answer>
}

/** ms. Ends a start that hangs where test files open their gateway: outside of tests and hooks nothing else does. */
const START_MS = 600_000
export const withinStart = <T>(start: Promise<T>): Promise<T> =>
  Promise.race([
    start,
    pause(START_MS, undefined, { ref: false }).then(() => Promise.reject(new Error(`No gateway in ${START_MS} ms`))),
  ])

/** Starts the gateway in a separate process, as users do. Tests that need no process use `openParley`. */
export const startParley = async (
  given: {
    readonly env?: Record<string, string>
    readonly folder?: string
    readonly main?: string
    /** Options of Node.js. */
    readonly options?: readonly string[]
    /** Called with the process as soon as there is one, long before it is ready. */
    readonly launched?: (child: ChildProcess) => void
  } = {},
): Promise<ParleyProcess> => {
  const folder = given.folder ?? mkdtempSync(join(tmpdir(), 'parley-api-'))
  const { child, output } = launch(
    { PARLEY_DATA: folder, ...(await storeOf(folder)), ...given.env },
    given.main,
    given.options,
  )
  given.launched?.(child)
  const url = await withinStart(readyUrl(child, output))
  const origin = new URL(url).origin
  return {
    origin,
    folder,
    pid: child.pid ?? 0,
    output,
    anyone: clientOf(origin, ''),
    signIn: (username, password) => signInAt(origin, username, password),
    end: (signal = 'SIGTERM') => ended(child, signal),
    async close() {
      await ended(child, 'SIGKILL')
      await dropStore(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const signInAt = async (origin: string, username = 'admin', password = ADMIN_PASSWORD): Promise<Client> => {
  const { status, text, body } = await clientOf(origin, '').post('/auth/login', { username, password })
  const token = (body.token as { accessToken?: string } | undefined)?.accessToken
  if (token === undefined) throw new Error(`${username} could not sign in: ${status} ${text}`)
  return clientOf(origin, token)
}

/** Closes a gateway, if it was opened. */
export const discard = async (parley: Parley | undefined): Promise<void> => parley?.close()

/** Starts a gateway that is expected to give up; answers its exit code and what it said. */
export const failToStart = async (
  env: Record<string, string>,
  main = MAIN,
): Promise<{ code: number | null; output: string; errors: string }> => {
  const behind = env.PARLEY_DATA === undefined ? {} : await storeOf(env.PARLEY_DATA)
  const { child, output, errors } = launch({ ...behind, ...env }, main)
  const code = await new Promise<number | null>(resolve => child.on('exit', resolve))
  return { code, output: output(), errors: errors() }
}

function launch(env: Record<string, string>, main = MAIN, options: readonly string[] = []) {
  const child = spawn(NODE, [...options, '--import', END_WITH_PARENT, main], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      PARLEY_SAMPLE: 'off',
      PARLEY_ADMIN_PASSWORD: ADMIN_PASSWORD,
      LOG_LEVEL: 'warn',
      ...WIDE_LIMITS,
      ...env,
    },
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  return { child, output: () => output, errors: () => errors }
}

async function readyUrl(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let errors = ''
    const look = () => {
      const url = READY.exec(output())?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', chunk => {
      errors += chunk
    })
    child.on('exit', code => reject(new Error(`The gateway ended with ${code}: ${errors}`)))
  })
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = new Promise<number | null>(resolve => child.once('exit', resolve))
  child.kill(signal)
  return exit
}

export function clientOf(origin: string, token: string): Client {
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = new Headers({
      'accept-language': 'en',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    })
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    const url = path.startsWith('/botadmin') ? origin + path : `${origin}/botadmin/api${path}`
    const answer = await fetch(url, { redirect: 'manual', ...init, method, headers })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: parsed(text) }
  }
  const withBody =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(
        method,
        path,
        body === undefined
          ? { headers }
          : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
      )
  const create = async (entity: string, fields: object): Promise<string> => {
    const { status, text, body } = await withBody('POST')(`/${entity}`, fields)
    if (status !== 201) throw new Error(`POST /${entity}: ${status} ${text}`)
    return body.id
  }
  return {
    token,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: withBody('POST'),
    put: (path, body, headers = {}) => withBody('PUT')(path, body, { 'if-match': '*', ...headers }),
    patch: (path, body, revision, headers = {}) =>
      withBody('PATCH')(path, body, { 'if-match': `"${revision}"`, ...headers }),
    delete: withBody('DELETE'),
    create,
    async createDialog(fields, taskName, name) {
      const bot = await create('bot', fields)
      const task = await create('dialogtask', { name: taskName, bot })
      return { bot, task, dialog: await create('dialog', { name, dialogtask: task }) }
    },
  }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return {} as Body
  }
}
