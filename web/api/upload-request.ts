/** An upload of which nothing moves for this long is cut, ms. */
const STALL_MS = 30_000
/** The server works on a whole file: its answer may take longer, ms. */
const ANSWER_MS = 120_000

interface UploadRequest {
  readonly headers: Headers
  readonly body: FormData | Blob
  /** Ends the upload; rejects with an AbortError. */
  readonly signal?: AbortSignal | undefined
  /** Whether cookies of the origin are sent. */
  readonly hasCookies: boolean
  /** Called with what was sent so far, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

const headersOf = (lines: string): Headers => {
  const headers = new Headers()
  for (const line of lines.trim().split(/\r?\n/u)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  return headers
}

const withoutBody = new Set([204, 205, 304])

/**
 * POSTs a file as `fetch` does, and reports its progress, which `fetch` cannot.
 * @throws TypeError when the connection is cut or stalls
 */
export const uploadRequest = (url: string, given: UploadRequest): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { headers, body, signal, hasCookies, onProgress } = given
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const fail = (error: unknown) => {
      end()
      reject(error)
    }
    const abort = () => {
      fail(new DOMException('The upload was cancelled', 'AbortError'))
      request.abort()
    }
    const wait = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        fail(new TypeError('The upload stands still'))
        request.abort()
      }, ms)
    }
    if (signal?.aborted === true) return abort()
    signal?.addEventListener('abort', abort)
    request.open('POST', url)
    request.withCredentials = hasCookies
    request.responseType = 'blob'
    for (const [name, value] of headers) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => {
      wait(STALL_MS)
      if (total > 0) onProgress(Math.min(1, loaded / total))
    }
    request.upload.onload = () => {
      wait(ANSWER_MS)
      onProgress(1)
    }
    request.onerror = () => fail(new TypeError('The connection was cut'))
    request.onload = () => {
      end()
      const { status } = request
      const content = withoutBody.has(status) ? null : (request.response as Blob)
      resolve(new Response(content, { status, headers: headersOf(request.getAllResponseHeaders()) }))
    }
    wait(STALL_MS)
    request.send(body)
  })
