import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '#schemas/event.ts'
import { hasCredentials } from '#schemas/field/value-schema.ts'
import { isObject, own, parseJsonField } from '#schemas/json.ts'
import { type CommandInput, WrongUsage } from '../command.ts'

/** Options of all commands that call a server. */
export const CONNECTION = {
  url: { type: 'string' },
  'token-file': { type: 'string' },
  token: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const CONNECTION_HELP = `  --url <address>       of the server, e.g. https://parley.example.com; default PARLEY_URL
  --token-file <file>   holds the API token; default PARLEY_TOKEN_FILE, or the token itself in PARLEY_TOKEN
  --json                print one JSON object`

const tokenIn = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new WrongUsage(`The token cannot be read from ${file}: ${error instanceof Error ? error.message : error}`)
  }
}

const warn = (text: string) => process.stderr.write(`Warning: ${text}\n`)

const tokenOf = ({ options, environment }: CommandInput): string => {
  const { token, 'token-file': file } = options
  if (typeof token === 'string') {
    warn('other users of this machine see a token on the command line. Use PARLEY_TOKEN or --token-file.')
    return token
  }
  if (typeof file === 'string') return tokenIn(file)
  return environment.PARLEY_TOKEN || (environment.PARLEY_TOKEN_FILE ? tokenIn(environment.PARLEY_TOKEN_FILE) : '')
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || host.startsWith('127.')

/** @throws WrongUsage when the address or the token is missing */
export const connect = (input: CommandInput): ApiClient => {
  const url = typeof input.options.url === 'string' ? input.options.url : input.environment.PARLEY_URL
  if (!url) throw new WrongUsage('The address of the server is missing: --url or PARLEY_URL.')
  if (hasCredentials(url)) throw new WrongUsage('The address may hold no name or password: the token alone is sent.')
  const token = tokenOf(input)
  if (token === '') throw new WrongUsage('The API token is missing: PARLEY_TOKEN or --token-file.')
  if (!/^[\x21-\x7e]+$/.test(token)) throw new WrongUsage('The API token has characters that no token has.')
  try {
    const { protocol, hostname } = new URL(url)
    if (protocol === 'http:' && !isLoopback(hostname)) warn('the token is sent without encryption. Use https.')
    return new ApiClient(url, token)
  } catch {
    throw new WrongUsage(`"${url}" is no address such as https://parley.example.com.`)
  }
}

/** The server refused a request. The message is a line for people. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly status: number
  readonly code: string

  constructor(message: string, status: number, code: string, lines: readonly string[] = []) {
    super([message, ...lines].join('\n  '))
    this.status = status
    this.code = code
  }
}

interface ApiAnswer {
  readonly body: JsonObject
  /** Revision of the `etag`. */
  readonly revision: number | undefined
}

interface ApiRequest {
  readonly body?: unknown
  /** Revision for `If-Match`. */
  readonly only?: number
}

/** Longest wait that the server may ask for before a request is repeated. */
const MAX_WAIT_S = 120
const TIMEOUT_MS = 120_000

/** The API of one server, called with a token. Redirects are not followed: the token goes to this server alone. */
export class ApiClient {
  readonly url: string
  readonly #token: string

  /** @throws TypeError when the address is none */
  constructor(url: string, token: string) {
    const { protocol, origin, pathname } = new URL(url)
    if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('must begin with https:// or http://')
    this.url = `${origin}${pathname.replace(/\/$/, '').replace(/\/botadmin(\/api)?$/, '')}`
    this.#token = token
  }

  get(path: string): Promise<ApiAnswer> {
    return this.#send('GET', path)
  }

  /** @throws RequestFailed */
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    return this.#send(method, path, request)
  }

  /** All things of a list. @throws RequestFailed */
  async list(entity: string, filter: Readonly<Record<string, string>>): Promise<readonly JsonObject[]> {
    const rows = new Map<string, JsonObject>()
    for (let page = 1; ; page++) {
      const query = new URLSearchParams({ ...filter, page: String(page), size: '100', sort: 'created_at' })
      const { body } = await this.get(`/${entity}?${query}`)
      const items = Array.isArray(body.items) ? body.items.filter(isObject) : []
      for (const item of items) rows.set(String(item.id), item)
      if (items.length === 0 || page * 100 >= Number(body.total)) {
        if (rows.size === Number(body.total)) return [...rows.values()]
        throw new RequestFailed('The bot was changed while it was read: try again.', 409, 'entity.conflict')
      }
    }
  }

  async #send(method: string, path: string, { body, only }: ApiRequest = {}): Promise<ApiAnswer> {
    const headers = new Headers({ authorization: `Bearer ${this.#token}`, 'accept-language': 'en' })
    if (body !== undefined) headers.set('content-type', 'application/json')
    if (only !== undefined) headers.set('if-match', `"${only}"`)
    for (;;) {
      const answer = await this.#fetch(`${this.url}/botadmin/api${path}`, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const wait = Number(answer.headers.get('retry-after'))
      if (answer.status === 429 && wait > 0 && wait <= MAX_WAIT_S) {
        await answer.body?.cancel()
        await sleep(wait * 1000)
        continue
      }
      const text = await answer.text()
      const read = parseJsonField(text)
      const content = isObject(read) ? read : {}
      if (!answer.ok) throw failureOf(answer.status, content, `${method} ${path}`)
      const revision = /^(?:W\/)?"(\d+)"$/.exec(answer.headers.get('etag') ?? '')?.[1]
      return { body: content, revision: revision === undefined ? undefined : Number(revision) }
    }
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, init)
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      const reason = cause?.code ?? (error instanceof Error ? error.message : String(error))
      throw new RequestFailed(`${this.url} does not answer (${reason}).`, 0, 'network')
    }
  }
}

const failureOf = (status: number, problem: JsonObject, request: string): RequestFailed => {
  const code = String(problem.code ?? '')
  const detail = typeof problem.detail === 'string' ? problem.detail : `${request} was answered with status ${status}.`
  const errors = Array.isArray(problem.errors) ? problem.errors.filter(isObject) : []
  const lines = errors.map(error => [own(error, 'path'), own(error, 'message')].filter(Boolean).join(': '))
  if (code === '') return new RequestFailed(`${detail} Is this the address of Parley?`, status, code)
  return new RequestFailed(detail, status, code, lines)
}
