import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_FILE_BYTES } from '#schemas/field/file-type.ts'
import { RequestRefused } from './failure.ts'

/** Boundaries, headers and small fields beside a file in a multipart body, in bytes. */
export const MULTIPART_FRAME = 100_000

const FILE_TOO_LARGE = 'FST_REQ_FILE_TOO_LARGE'
const TOO_LARGE = new Set([FILE_TOO_LARGE, 'FST_ERR_CTP_BODY_TOO_LARGE'])

interface MultipartLimits {
  /** Largest size of one file, in bytes. */
  readonly fileSize?: number
  readonly files?: number
  readonly fields?: number
}

const MEGABYTE = 1_048_576

/** Bytes of so many MB, as settings of files mean them. */
export const bytesOf = (megabytes: number): number => megabytes * MEGABYTE

const tooLarge = (fileSize: number): RequestRefused =>
  new RequestRefused({ code: 'request.toolarge', params: { rule: 'file', max: Math.floor(fileSize / MEGABYTE) } })

/** Reads multipart bodies in the scope of `app`. A file over its limit is refused with `request.toolarge`. */
export const addMultipart = async (
  app: FastifyInstance,
  { fileSize = MAX_FILE_BYTES, files = 1, fields = 0 }: MultipartLimits = {},
): Promise<void> => {
  await app.register(multipart, { limits: { fileSize, files, fields, parts: files + fields } })
  // A multipart body is read by the handler: nothing else compares its declared length with the limit.
  app.addHook('onRequest', async ({ headers, routeOptions: { bodyLimit } }) => {
    if (bodyLimit !== undefined && Number(headers['content-length'] ?? 0) > bodyLimit) throw tooLarge(fileSize)
  })
  app.setErrorHandler(error => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw TOO_LARGE.has(code) ? tooLarge(fileSize) : error
  })
}

/** The field `file` of the body. */
export const filePartOf = async (request: FastifyRequest): Promise<MultipartFile> => {
  if (!request.isMultipart()) throw new RequestRefused({ code: 'request.mediatype' })
  const part = await request.file()
  if (part?.fieldname === 'file') return part
  throw new RequestRefused({ code: 'validation.failed', errors: [{ path: 'file', code: 'required' }] })
}

/** Content of a file as it arrives. A file over its limit ends with an error, never cut. */
export async function* contentOf(part: MultipartFile, counted: (bytes: number) => void = () => undefined) {
  try {
    for await (const chunk of part.file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      counted(chunk.length)
      yield chunk
    }
    if (part.file.truncated) throw Object.assign(new Error('file over the limit'), { code: FILE_TOO_LARGE })
  } finally {
    // Unread bytes of a refused file must not stop the parser of the rest.
    part.file.resume()
  }
}

/**
 * Content of a file. Throws `FST_REQ_FILE_TOO_LARGE` when the file exceeds its limit. `toBuffer` alone returns a cut
 * file when the excess bytes arrive in a separate chunk.
 */
export const wholeContentOf = async (part: MultipartFile): Promise<Buffer> => {
  const content = await part.toBuffer()
  if (part.file.truncated) throw Object.assign(new Error('file over the limit'), { code: FILE_TOO_LARGE })
  return content
}
