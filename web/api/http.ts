import type {
  AnswerOf,
  BodyOf,
  FileRouteName,
  FormRouteName,
  QueryOf,
  RouteName,
  TextRouteName,
} from '#schemas/api/routes.ts'
import { Problem, type ProblemBody } from './failure.ts'

/** Keys of uploads that got no answer, by address and file. */
const unanswered = new Map<string, string>()
const MAX_KEPT = 100

const nameOf = (url: string, { name, size, lastModified }: File): string =>
  JSON.stringify([url, name, size, lastModified])

/** Idempotency key of an upload. The same file again after a cut connection has the same: it is not stored twice. */
const uploadKey = (url: string, file: File): string => {
  const name = nameOf(url, file)
  const key = unanswered.get(name) ?? crypto.randomUUID()
  unanswered.delete(name)
  unanswered.set(name, key)
  const [oldest] = unanswered.keys()
  if (unanswered.size > MAX_KEPT && oldest !== undefined) unanswered.delete(oldest)
  return key
}

/** The server has answered: the same file again is another upload. */
const endUploadKey = (url: string, file: File): void => {
  unanswered.delete(nameOf(url, file))
}

const API = '/botadmin/api'

/** Address of the documentation of the API. */
export const API_DOCS = `${API}/docs`

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type JsonRouteName = Exclude<RouteName, FileRouteName | FormRouteName | TextRouteName>

type PathOf<M extends Method, Names = JsonRouteName> = Names extends infer Name
  ? Name extends `${M} ${infer Path}`
    ? Path
    : never
  : never

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string | number } & ParamsOf<Rest>
  : unknown

interface Options {
  /** Revision for `If-Match`; `*` matches any revision. */
  readonly revision?: number | '*'
  /** Idempotency key: a retry with the same key gets the first answer. Random when absent. */
  readonly key?: string
  readonly signal?: AbortSignal
  /** The request outlives the page. */
  readonly keepalive?: boolean
  /** Of an upload: called with what was sent so far, from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** Optional if all its members are optional; forbidden if the route declares none. */
type Member<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [Key in Name]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [Key in Name]?: Value | undefined }
    : { readonly [Key in Name]: Value }

/** Input of a call: path parameters, query and body, as the route declares them. */
type Input<N extends RouteName, Path extends string> = Options & Address<N, Path> & Member<'body', BodyOf<N>>

/** The parameters of a path and its query. */
type Address<N extends RouteName, Path extends string> = (unknown extends ParamsOf<Path>
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<Path> }) &
  Member<'query', QueryOf<N>>

/** The input is optional if all its members are optional. */
type Arguments<Value> = Record<never, never> extends Value ? [input?: Value] : [input: Value]

type UploadArguments<P extends string> = Arguments<Options & Address<`POST ${P}` & RouteName, P>>
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

/** Emits `behind` with the path of a write that its node has stored but does not show yet. */
export const projection = new EventTarget()

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

/** Address of a sign-in at an identity provider: the browser goes to `start`, the provider to the others. */
export const providerUrl = (provider: string, part: 'start' | 'callback' | 'logout'): string =>
  `${API}/auth/oidc/${encodeURIComponent(provider)}/${part}`

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
  if (input.revision !== undefined) headers.set('if-match', input.revision === '*' ? '*' : `"${input.revision}"`)
  if (!SAFE.has(method)) {
    headers.set('idempotency-key', input.key ?? crypto.randomUUID())
    headers.set(CORRELATION, crypto.randomUUID())
  }
  const body = input.body === undefined ? null : (file ?? JSON.stringify(input.body))
  const url = urlOf(path, input)
  try {
    if (file !== undefined && input.onProgress !== undefined) {
      const { uploadRequest } = await import('./upload-request.ts')
      return await uploadRequest(url, {
        headers,
        body: file,
        signal: input.signal,
        hasCookies: true,
        onProgress: input.onProgress,
      })
    }
    return await fetch(url, {
      ...{ method, headers, body, credentials: 'same-origin', signal: input.signal ?? null },
      keepalive: input.keepalive ?? false,
    })
  } catch (error) {
    if (input.signal?.aborted) throw error
    throw new Problem(0, { code: 'network' })
  }
}

const accepted = async (method: Method, path: string, input: AnyInput): Promise<Response> => {
  const response = await send(method, path, input)
  if (response.headers.get('parley-projection') === 'behind')
    projection.dispatchEvent(new CustomEvent('behind', { detail: urlOf(path, input).slice(API.length) }))
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
  /** Sends a file as the field `file` of a form. */
  upload: async <P extends PathOf<'POST', FormRouteName>>(
    path: P,
    file: File,
    ...[input]: UploadArguments<P>
  ): Promise<AnswerOf<`POST ${P}` & FormRouteName>> => {
    const body = new FormData()
    body.set('file', file)
    const url = urlOf(path, input)
    const key = input?.key ?? uploadKey(url, file)
    try {
      const answer = await request<AnswerOf<`POST ${P}` & FormRouteName>>('POST', path, { ...input, key, body })
      endUploadKey(url, file)
      return answer
    } catch (error) {
      // A refusal has stored nothing, or is the answer for this key.
      if (error instanceof Problem && error.status >= 400 && error.status < 500) endUploadKey(url, file)
      throw error
    }
  },
  /** Sends the text of a file: the type of the Blob is the content type. */
  sendText: async <P extends PathOf<'POST', TextRouteName>>(
    path: P,
    body: Blob,
    ...[input]: UploadArguments<P>
  ): Promise<AnswerOf<`POST ${P}` & TextRouteName>> => request('POST', path, { ...input, body }),
  /** Reads a file as a whole: a refusal is thrown and not saved. */
  file: async <P extends FilePath>(path: P, ...[input]: FileArguments<P>): Promise<Blob> =>
    (await accepted('GET', path, input ?? {})).blob(),
}
