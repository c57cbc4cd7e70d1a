import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyError } from 'fastify'
import { EventTooLarge, StoreReadOnly, StoreUnavailable } from '#commands/store/port.ts'
import { BUSY, WorkBusy } from '#commands/time-slicer.ts'
import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import { ReadModelsUnavailable } from '#projections/query-pool.ts'
import { closeSocketGracefully } from '#realtime/refuse-upgrade.ts'
import { BotFilesFull } from '#runtime/storage/storage-port.ts'
import { DEFAULT_LANGUAGE } from '#schemas/language.ts'
import type { Refusal, RefusalCode } from '#schemas/refusal.ts'
import { problemOf } from '../problem.ts'

/** Ends a request inside the framework's own steps (hooks, body parsers, validation), which can only be left by throwing. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

const OF_FRAMEWORK: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.toolarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.mediatype',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.unreadable',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.unreadable',
  FST_ERR_CTP_INVALID_TYPE: 'request.mediatype',
  FST_ERR_BAD_URL: 'request.unreadable',
  FST_ERR_MAX_PARAM_LENGTH: 'entity.notfound',
  FST_REQ_FILE_TOO_LARGE: 'request.toolarge',
  FST_FILES_LIMIT: 'request.toolarge',
  FST_PARTS_LIMIT: 'request.toolarge',
  FST_FIELDS_LIMIT: 'request.toolarge',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'request.mediatype',
}

/** Maps a thrown error to a refusal; only unexpected errors are logged as errors. */
export const refusalOf = (error: FastifyError | Error, log: FastifyBaseLogger): Refusal => {
  if (error instanceof RequestRefused) return error.refusal
  if (error instanceof StoreReadOnly) return { code: 'store.readonly' }
  if (error instanceof StoreUnavailable || error instanceof ReadModelsUnavailable) return { code: 'store.unavailable' }
  if (error instanceof BotFilesFull) return { code: 'files.full' }
  if (error instanceof TooCostly) return { code: 'flow.toocostly' }
  if (error instanceof WorkBusy) return BUSY.refusal
  if (error instanceof EventTooLarge) return { code: 'request.toolarge' }
  const known = 'code' in error && typeof error.code === 'string' ? OF_FRAMEWORK[error.code] : undefined
  if (known !== undefined) return { code: known }
  if ('statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500)
    return { code: error.statusCode === 415 ? 'request.mediatype' : 'request.unreadable' }
  log.error(error)
  return { code: 'server.error' }
}

const TOO_LARGE = 'HPE_HEADER_OVERFLOW'
const LARGE_HEADERS = { status: 431, title: 'Request Header Fields Too Large' } as const
const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'
const TOO_SLOW = { status: 408, title: 'Request Timeout' } as const

const problemFor = (code: string | undefined) => {
  if (code === TOO_LARGE) return { ...problemOf({ code: 'request.toolarge' }, DEFAULT_LANGUAGE), ...LARGE_HEADERS }
  const unreadable = problemOf({ code: 'request.unreadable' }, DEFAULT_LANGUAGE)
  return code === TIMEOUT ? { ...unreadable, ...TOO_SLOW } : unreadable
}

/** Answers what is no HTTP, is sent too slowly, or has more headers than are read, before any request comes of it; then hangs up. */
export const refuseUnreadable = (error: Error & { readonly code?: string }, socket: Socket): void => {
  // Browsers open connections ahead: an answer to nothing would be taken as that of the request which comes next.
  const isUnused = error.code === TIMEOUT && socket.bytesRead === 0
  if (error.code === 'ECONNRESET' || !socket.writable || isUnused) {
    socket.destroy()
    return
  }
  const problem = problemFor(error.code)
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  closeSocketGracefully(socket)
}
