import type { FastifyBaseLogger, FastifyError } from 'fastify'
import { EventTooLarge, StoreReadOnly, StoreUnavailable } from '#commands/store/port.ts'
import { BUSY, WorkBusy } from '#commands/work-busy.ts'
import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import { ReadModelsUnavailable } from '#projections/query-pool.ts'
import { BotFilesFull } from '#runtime/storage/port.ts'
import type { Refusal, RefusalCode } from '#schemas/refusal.ts'
import { RequestRefused } from './request-refused.ts'

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
