import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { readUtf8 } from '#commands/pipeline/json-body.ts'
import type { Caller } from '#commands/port.ts'
import { checkRead, mayReadAll } from '#commands/version/version-rights.ts'
import { fileBody } from '#schemas/api/file.ts'
import { versionFileAnswer, versionPreviewSchema, versionUploadQuery } from '#schemas/api/version.ts'
import { createdSchema, idParam } from '#schemas/api/write.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import { contentDisposition } from '../http/content-disposition.ts'
import { addMultipart, filePartOf, MULTIPART_FRAME, wholeContentOf } from '../http/multipart.ts'
import { fileBody as anyBody } from '../http/pipeline.ts'
import { RequestRefused } from '../http/request-refused.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { callerOf, runCommand, sessionOf } from './command.ts'
import { previewAnswer } from './preview-answer.ts'

const FILE_LIMIT = 64_000_000
const TAGS = ['version']
const JSON_TYPE = 'application/json; charset=utf-8'

interface Id {
  readonly id: string
}

/** Versions as files: brought in, taken out, and looked at before they are applied. */
export const addVersion = async (app: FastifyInstance, parts: Parts): Promise<void> => {
  addReads(app, parts)
  // Multipart is read by this route alone: what is registered here stays in here.
  await app.register(async uploads => {
    await addMultipart(uploads, { fileSize: FILE_LIMIT, fields: 10 })
    addUpload(uploads, parts)
  })
}

function addReads(app: FastifyInstance, { read, commands }: Parts): void {
  const config = { permission: 'readversion' }

  const rowOf = (request: FastifyRequest) => read.detail(sessionOf(request).scope, 'version', (request.params as Id).id)
  const missing = (reply: FastifyReply) => refuse(reply, { code: 'entity.notfound' })

  app.get<{ Params: Id }>(
    '/version/:id/download',
    { config, schema: { tags: TAGS, params: idParam, response: { 200: versionFileAnswer } } },
    async (request, reply) => {
      const row = await rowOf(request)
      if (row === undefined) return missing(reply)
      const file = await commands.versionText(request.params.id)
      if (file === undefined) return missing(reply)
      const permitted = mayRead(callerOf(request), file)
      if (!permitted.ok) return refuse(reply, permitted.refusal)
      const name = contentDisposition('attachment', `${String(row.name)}.parley-version.json`)
      return reply.header('content-disposition', name).type(JSON_TYPE).send(file)
    },
  )

  app.get<{ Params: Id }>(
    '/version/:id/preview',
    { config, schema: { tags: TAGS, params: idParam, response: { 200: versionPreviewSchema } } },
    async (request, reply) => {
      const row = await rowOf(request)
      if (row === undefined) return missing(reply)
      const { id } = request.params
      const caller = callerOf(request)
      const [file, preview] = await Promise.all([commands.versionFile(id), commands.versionPreview(id, caller)])
      if (file === undefined || preview === undefined) return missing(reply)
      const permitted = checkRead(caller, file, preview)
      return permitted.ok ? previewAnswer(preview) : refuse(reply, permitted.refusal)
    },
  )
}

function addUpload(app: FastifyInstance, parts: Parts): void {
  app.post<{ Querystring: z.output<typeof versionUploadQuery> }>(
    '/version/upload',
    {
      bodyLimit: FILE_LIMIT + MULTIPART_FRAME,
      config: { permission: 'createversion' },
      schema: {
        tags: TAGS,
        consumes: ['multipart/form-data'],
        querystring: versionUploadQuery,
        body: anyBody(fileBody),
        response: { 201: createdSchema },
      },
    },
    async (request, reply) => {
      const input = { bot: request.query.bot, file: await uploaded(request) }
      const done = await runCommand(parts, request, reply, { entity: 'version', action: 'upload', input })
      return done === undefined ? reply : reply.code(201).send({ id: done.id, revision: done.revision })
    },
  )
}

/** The text of the field `file`. */
async function uploaded(request: FastifyRequest): Promise<string> {
  const read = readUtf8(await wholeContentOf(await filePartOf(request)))
  if (read.ok) return read.value
  throw new RequestRefused({ code: 'version.format', errors: [{ path: '', code: 'format' }] })
}

/** A large file is parsed for those alone who may not read every kind of thing. */
const mayRead = (caller: Caller, text: string): Result<null> =>
  mayReadAll(caller) ? accepted(null) : checkRead(caller, JSON.parse(text) as VersionFile)
