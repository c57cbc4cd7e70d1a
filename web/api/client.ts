import { sessionEnd, urlOf } from './http.ts'
import { Problem, type ProblemBody } from './problem.ts'

type Query = Readonly<Record<string, string | number | boolean | undefined>>

interface Options {
  readonly query?: Query
  readonly body?: unknown
  /** Revision for `If-Match`. */
  readonly revision?: number
  /** The same key on a retry answers as the first time; made anew when absent. */
  readonly key?: string
  readonly signal?: AbortSignal
}

interface Answer<T> {
  readonly data: T
  readonly revision: number | undefined
}

/** Names the request in the answer, in the events that come of it, and in the log. */
const CORRELATION = 'x-correlation-id'
const SAFE = new Set(['GET', 'HEAD'])
const language = () => document.documentElement.lang || 'pt'

const problemOf = async (response: Response): Promise<Problem> => {
  const body: ProblemBody = await response.json().catch(() => ({}))
  return new Problem(response.status, body, response.headers.get(CORRELATION) ?? undefined)
}

const send = async (method: string, path: string, options: Options): Promise<Response> => {
  const headers = new Headers({ accept: 'application/json, text/csv', 'accept-language': language() })
  const { body } = options
  // The browser names the type of a form and of a file itself.
  const isFile = body instanceof FormData || body instanceof Blob
  if (body !== undefined && !isFile) headers.set('content-type', 'application/json')
  if (options.revision !== undefined) headers.set('if-match', `"${options.revision}"`)
  if (!SAFE.has(method)) {
    headers.set('idempotency-key', options.key ?? crypto.randomUUID())
    headers.set(CORRELATION, crypto.randomUUID())
  }
  try {
    return await fetch(urlOf(path, options.query), {
      method,
      headers,
      body: body === undefined ? null : isFile ? body : JSON.stringify(body),
      credentials: 'same-origin',
      signal: options.signal ?? null,
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new Problem(0, { code: 'network' })
  }
}

const accepted = async (method: string, path: string, options: Options): Promise<Response> => {
  const response = await send(method, path, options)
  if (response.ok) return response
  const problem = await problemOf(response)
  if (problem.code === 'auth.required') sessionEnd.dispatchEvent(new Event('end'))
  throw problem
}

const call = async <T>(method: string, path: string, options: Options = {}): Promise<Answer<T>> => {
  const response = await accepted(method, path, options)
  const tag = response.headers.get('etag')?.match(/"(\d+)"/)?.[1]
  const data = response.status === 204 ? undefined : await response.json()
  return { data: data as T, revision: tag === undefined ? undefined : Number(tag) }
}

const data = async <T>(answer: Promise<Answer<T>>): Promise<T> => (await answer).data

/** The HTTP API of API.md. Every call rejects with a {@link Problem} when it is refused or the server does not answer. */
export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) =>
    data<T>(call('GET', path, { ...(query ? { query } : {}), ...(signal ? { signal } : {}) })),
  file: async (path: string, query?: Query): Promise<Blob> =>
    (await accepted('GET', path, query ? { query } : {})).blob(),
  /** With the revision of its ETag. */
  read: <T>(path: string, query?: Query) => call<T>('GET', path, query ? { query } : {}),
  post: <T = void>(path: string, body: unknown = {}, options: Omit<Options, 'body'> = {}) =>
    data<T>(call('POST', path, { ...options, body })),
  put: <T = void>(path: string, body: unknown, options: Omit<Options, 'body'> = {}) =>
    data<T>(call('PUT', path, { ...options, body })),
  patch: <T = void>(path: string, body: unknown, revision: number) => data<T>(call('PATCH', path, { body, revision })),
  delete: <T = void>(path: string, body?: unknown) => data<T>(call('DELETE', path, body === undefined ? {} : { body })),
}
