import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Problem } from './failure.ts'
import { http } from './http.ts'

/** A request whose events the test gives. */
class FakeRequest {
  /** Takes the next request: its code is loaded with the first upload. */
  static opened: (request: FakeRequest) => void = () => {}
  readonly headers = new Headers()
  readonly upload: {
    onprogress?: (event: { readonly loaded: number; readonly total: number }) => void
    onload?: () => void
  } = {}
  onload?: () => void
  onerror?: () => void
  status = 0
  response: Blob = new Blob()
  isAborted = false

  constructor() {
    FakeRequest.opened(this)
  }
  open = () => undefined
  send = () => undefined
  setRequestHeader = (name: string, value: string) => this.headers.set(name, value)
  getAllResponseHeaders = () => 'content-type: application/json\r\nx-correlation-id: c-1\r\n'
  abort = () => {
    this.isAborted = true
  }
  answer(status: number, body: object) {
    this.status = status
    this.response = new Blob([JSON.stringify(body)])
    this.onload?.()
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  vi.stubGlobal('document', { documentElement: { lang: 'pt' } })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const FILE = new File(['a'.repeat(100)], 'a.txt', { lastModified: 1 })
const begin = async (file = FILE, signal?: AbortSignal) => {
  const shares: number[] = []
  const more = { onProgress: (share: number) => void shares.push(share), ...(signal === undefined ? {} : { signal }) }
  const opened = new Promise<FakeRequest>(resolve => {
    FakeRequest.opened = resolve
  })
  const sent = http.upload('/file', file, more).then(
    stored => ({ stored, failure: undefined }),
    (failure: unknown) => ({ stored: undefined, failure }),
  )
  return { sent, shares, request: await opened }
}
const keyOf = ({ headers }: FakeRequest) => headers.get('idempotency-key')

test('reports the share of an upload that is sent, and answers as fetch does [P-2011]', async () => {
  const { sent, shares, request } = await begin()
  request.upload.onprogress?.({ loaded: 25, total: 100 })
  request.upload.onprogress?.({ loaded: 60, total: 100 })
  request.upload.onload?.()
  request.answer(201, { id: 'f' })
  expect(await sent).toEqual({ stored: { id: 'f' }, failure: undefined })
  expect(shares).toEqual([0.25, 0.6, 1])
  expect(request.headers.get('accept-language')).toBe('pt')
})

test('rejects with the refusal of the server [P-2011]', async () => {
  const { sent, request } = await begin()
  request.answer(413, { code: 'request.toolarge', detail: 'File is too big' })
  const { failure } = await sent
  expect([(failure as Problem).status, (failure as Problem).code]).toEqual([413, 'request.toolarge'])
})

test('ends with the signal, and sends no more [P-2011]', async () => {
  const controller = new AbortController()
  const { sent, request } = await begin(FILE, controller.signal)
  controller.abort()
  expect((await sent).failure).toMatchObject({ name: 'AbortError' })
  expect(request.isAborted).toBe(true)
})

test.each([
  ['is cut', (request: FakeRequest) => request.onerror?.()],
  ['stands still for 30 s', () => vi.advanceTimersByTime(30_000)],
])('rejects with a network problem when the connection %s [P-2011]', async (_title, cut) => {
  const { sent, request } = await begin()
  request.upload.onprogress?.({ loaded: 50, total: 100 })
  cut(request)
  expect((await sent).failure).toMatchObject({ code: 'network', status: 0 })
})

test('waits longer for the answer than for the next bytes [P-2011]', async () => {
  const { sent, request } = await begin()
  request.upload.onload?.()
  vi.advanceTimersByTime(60_000)
  request.answer(201, { id: 'f' })
  expect((await sent).stored).toEqual({ id: 'f' })
})

test('sends the same file again with the same key until it is answered, and then with another [P-2012]', async () => {
  const cut = await begin()
  cut.request.onerror?.()
  await cut.sent
  // Chosen again from the disk, it is another object.
  const again = await begin(new File(['a'.repeat(100)], 'a.txt', { lastModified: 1 }))
  expect(keyOf(again.request)).toBe(keyOf(cut.request))
  const other = await begin(new File(['a'.repeat(100)], 'a.txt', { lastModified: 2 }))
  expect(keyOf(other.request)).not.toBe(keyOf(cut.request))
  other.request.answer(422, { code: 'validation.failed' })
  again.request.answer(201, { id: 'f' })
  await Promise.all([again.sent, other.sent])
  const next = await begin()
  expect(keyOf(next.request)).not.toBe(keyOf(cut.request))
  next.request.answer(201, { id: 'g' })
  await next.sent
})
