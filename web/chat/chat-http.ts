import { uploadRequest } from '#web/api/upload-request.ts'

/** An answer of the chat API that refuses. */
export class ChatRefusal extends Error {
  readonly status: number
  readonly code: string
  /** s. */
  readonly retryAfter: number

  constructor(status: number, code: string, message: string, retryAfter: number) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly token?: string
  readonly language?: string
  /** Of a form: called with what was sent so far, from 0 to 1. */
  readonly onProgress?: (share: number) => void
  readonly signal?: AbortSignal
}

const TIMEOUT_MS = 20_000
const nothing = () => undefined

const refusalOf = async (answer: Response): Promise<ChatRefusal> => {
  const problem = (await answer.json().catch(() => ({}))) as { code?: string; detail?: string; title?: string }
  const after = Number(answer.headers.get('retry-after') ?? 1)
  return new ChatRefusal(answer.status, problem.code ?? '', problem.detail ?? problem.title ?? '', after || 1)
}

/** Calls below the address of the chat API. @throws ChatRefusal, or a TypeError without a network */
export const createChatHttp = (base: string) => ({
  base,
  async call<T>(path: string, { method = 'GET', body, token, language, onProgress, signal }: Call = {}): Promise<T> {
    const headers = new Headers({
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(language === undefined ? {} : { 'accept-language': language }),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    })
    const answer =
      body instanceof FormData
        ? await uploadRequest(base + path, {
            headers,
            body,
            signal,
            hasCookies: false,
            onProgress: onProgress ?? nothing,
          })
        : await fetch(base + path, {
            method,
            credentials: 'omit',
            signal: AbortSignal.timeout(TIMEOUT_MS),
            headers,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          })
    if (!answer.ok) throw await refusalOf(answer)
    return (answer.status === 204 ? undefined : await answer.json()) as T
  },
  /** A stream of server-sent events, which EventSource could not authorize. Ends with the connection. */
  async *events(path: string, token: string, signal: AbortSignal): AsyncGenerator<string> {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    const answer = await fetch(base + path, { headers, credentials: 'omit', signal })
    if (!answer.ok || answer.body === null) throw await refusalOf(answer)
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) throw new TypeError('No event stream')
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const events = (rest + value.replaceAll('\r\n', '\n')).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = event.split('\n').flatMap(line => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
        if (data.length > 0) yield data.join('\n')
      }
    }
  },
})

export type ChatHttp = ReturnType<typeof createChatHttp>
