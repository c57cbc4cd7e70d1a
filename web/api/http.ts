import type { AnswerOf, BodyOf, FileRouteName, QueryOf, RouteName } from '#schemas/api/routes.ts'
import { Problem, type ProblemBody } from './problem.ts'

const API = '/botadmin/api'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type PathOf<M extends Method, Names = Exclude<RouteName, FileRouteName>> = Names extends infer Name
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
type Input<N extends RouteName, Path extends string> = Options & Address<N, Path> & Body<BodyOf<N>>

/** The parameters of a path and its query. */
type Address<N extends RouteName, Path extends string> = (unknown extends ParamsOf<Path>
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<Path> }) & { readonly query?: QueryOf<N> }

/** The input may be left out where nothing of it is required. */
type Arguments<Value> = Record<never, never> extends Value ? [input?: Value] : [input: Value]

type FilePath = PathOf<'GET', FileRouteName>
type FileArguments<P extends FilePath> = Arguments<Address<`GET ${P}` & FileRouteName, P>>

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

/** Address of a call. Query parameters that are undefined or '' are left out. */
const urlOf = (path: string, input: AnyInput = {}): string => {
  const params = (input.params ?? {}) as Readonly<Record<string, string | number>>
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  const tail = search.toString()
  return `${API}${filled}${tail === '' ? '' : `?${tail}`}`
}

/** Address of a file, for links, pictures and downloads. */
export const fileUrl = <P extends FilePath>(path: P, ...[input]: FileArguments<P>): string => urlOf(path, input)

const problemOf = async (response: Response): Promise<Problem> => {
  const body: ProblemBody = await response.json().catch(() => ({}))
  return new Problem(response.status, body, response.headers.get(CORRELATION) ?? undefined)
}

const send = async (method: Method, path: string, input: AnyInput): Promise<Response> => {
  const headers = new Headers({ accept: 'application/json, */*', 'accept-language': language() })
  // The browser names the type of a form and of a file itself.
  const file = input.body instanceof FormData || input.body instanceof Blob ? input.body : undefined
  if (input.body !== undefined && file === undefined) headers.set('content-type', 'application/json')
  if (input.revision !== undefined) headers.set('if-match', `"${input.revision}"`)
  if (!SAFE.has(method)) {
    headers.set('idempotency-key', input.key ?? crypto.randomUUID())
    headers.set(CORRELATION, crypto.randomUUID())
  }
  const body = input.body === undefined ? null : (file ?? JSON.stringify(input.body))
  const url = urlOf(path, input)
  try {
    return await fetch(url, { method, headers, body, credentials: 'same-origin', signal: input.signal ?? null })
  } catch (error) {
    if (input.signal?.aborted) throw error
    throw new Problem(0, { code: 'network' })
  }
}

const accepted = async (method: Method, path: string, input: AnyInput): Promise<Response> => {
  const response = await send(method, path, input)
  if (response.ok) return response
  const problem = await problemOf(response)
  if (problem.code === 'auth.required') sessionEnd.dispatchEvent(new Event('end'))
  throw problem
}

const request = async <T>(method: Method, path: string, input: AnyInput = {}): Promise<T> => {
  const response = await accepted(method, path, input)
  return (response.status === 204 ? undefined : await response.json()) as T
}

const caller =
  <M extends Method>(method: M) =>
  async <P extends PathOf<M>>(
    path: P,
    ...[input]: Arguments<Input<`${M} ${P}` & RouteName, P>>
  ): Promise<AnswerOf<`${M} ${P}` & RouteName>> =>
    request(method, path, input)

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
  /** Sends a multipart form, or a file of its own type. */
  upload: <P extends PathOf<'POST'>>(
    path: P,
    body: FormData | Blob,
    input: Options & Address<`POST ${P}` & RouteName, P>,
  ): Promise<AnswerOf<`POST ${P}` & RouteName>> => request('POST', path, { ...input, body }),
  /** Reads a file as a whole: a refusal is thrown and not saved. */
  file: async <P extends FilePath>(path: P, ...[input]: FileArguments<P>): Promise<Blob> =>
    (await accepted('GET', path, input ?? {})).blob(),
}
