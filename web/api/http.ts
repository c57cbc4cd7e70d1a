import type { AnswerOf, BodyOf, QueryOf, RouteName } from '#schemas/api/routes.ts'
import { Problem, type ProblemBody } from './problem.ts'

export const API = '/botadmin/api'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type PathOf<M extends Method> = RouteName extends infer Name
  ? Name extends `${M} ${infer Path}`
    ? Path
    : never
  : never

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string | number } & ParamsOf<Rest>
  : unknown

interface Options {
  /** Revision for `If-Match`. */
  readonly revision?: number
  /** Idempotency key: a retry with the same key gets the first answer. Random when absent. */
  readonly key?: string
  readonly signal?: AbortSignal
}

type Body<Value> = [Value] extends [undefined]
  ? { readonly body?: undefined }
  : Record<never, never> extends Value
    ? { readonly body?: Value | undefined }
    : { readonly body: Value }

/** What a call takes: the parameters of its path, its query and its body, as the route declares them. */
type Input<N extends RouteName, Path extends string> = Options &
  (unknown extends ParamsOf<Path> ? { readonly params?: undefined } : { readonly params: ParamsOf<Path> }) & {
    readonly query?: QueryOf<N>
  } & Body<BodyOf<N>>

/** The input may be left out where nothing of it is required. */
type Arguments<N extends RouteName, Path extends string> =
  Record<never, never> extends Input<N, Path> ? [input?: Input<N, Path>] : [input: Input<N, Path>]

interface Answer<T> {
  readonly data: T
  /** From the ETag. */
  readonly revision: number | undefined
}

interface AnyInput extends Options {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** Names the request in the answer, in its events and in the log. */
const CORRELATION = 'x-correlation-id'
const SAFE: ReadonlySet<Method> = new Set(['GET'])
const language = () => document.documentElement.lang || 'pt'

/** Emits `end` on each 401 that ends a session: the shell then asks to sign in and keeps the address. */
export const sessionEnd = new EventTarget()

/** Address of an API path. `query`: undefined and '' are left out. */
export const urlOf = (path: string, query: Readonly<Record<string, unknown>> = {}): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  const tail = search.toString()
  return `${API}${path}${tail === '' ? '' : `?${tail}`}`
}

const filledPath = (path: string, params: Readonly<Record<string, string | number>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))

const problemOf = async (response: Response): Promise<Problem> => {
  const body: ProblemBody = await response.json().catch(() => ({}))
  return new Problem(response.status, body, response.headers.get(CORRELATION) ?? undefined)
}

const send = async (method: Method, url: string, input: AnyInput): Promise<Response> => {
  const headers = new Headers({ accept: 'application/json', 'accept-language': language() })
  const isForm = input.body instanceof FormData
  if (input.body !== undefined && !isForm) headers.set('content-type', 'application/json')
  if (input.revision !== undefined) headers.set('if-match', `"${input.revision}"`)
  if (!SAFE.has(method)) {
    headers.set('idempotency-key', input.key ?? crypto.randomUUID())
    headers.set(CORRELATION, crypto.randomUUID())
  }
  const body = input.body === undefined ? null : isForm ? (input.body as FormData) : JSON.stringify(input.body)
  try {
    return await fetch(url, { method, headers, body, credentials: 'same-origin', signal: input.signal ?? null })
  } catch (error) {
    if (input.signal?.aborted) throw error
    throw new Problem(0, { code: 'network' })
  }
}

const request = async <T>(method: Method, path: string, input: AnyInput = {}): Promise<Answer<T>> => {
  const params = (input.params ?? {}) as Readonly<Record<string, string | number>>
  const url = urlOf(filledPath(path, params), (input.query ?? {}) as Readonly<Record<string, unknown>>)
  const response = await send(method, url, input)
  if (!response.ok) {
    const problem = await problemOf(response)
    if (problem.code === 'auth.required') sessionEnd.dispatchEvent(new Event('end'))
    throw problem
  }
  const tag = response.headers.get('etag')?.match(/"(\d+)"/)?.[1]
  const data = response.status === 204 ? undefined : await response.json()
  return { data: data as T, revision: tag === undefined ? undefined : Number(tag) }
}

const caller =
  <M extends Method>(method: M) =>
  async <P extends PathOf<M>>(
    path: P,
    ...[input]: Arguments<`${M} ${P}` & RouteName, P>
  ): Promise<AnswerOf<`${M} ${P}` & RouteName>> =>
    (await request<AnswerOf<`${M} ${P}` & RouteName>>(method, path, input)).data

/**
 * The HTTP API (`schemas/api/routes.ts`). Rejects with a {@link Problem} when the call is refused or the server does not
 * answer.
 */
export const http = {
  get: caller('GET'),
  post: caller('POST'),
  put: caller('PUT'),
  patch: caller('PATCH'),
  delete: caller('DELETE'),
  /** A multipart body. */
  upload: async <P extends PathOf<'POST'>>(
    path: P,
    form: FormData,
    query?: QueryOf<`POST ${P}` & RouteName>,
  ): Promise<AnswerOf<`POST ${P}` & RouteName>> =>
    (await request<AnswerOf<`POST ${P}` & RouteName>>('POST', path, { body: form, query })).data,
}
