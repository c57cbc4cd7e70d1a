import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { mappingOf as mappingOfCampaign } from '#domain/campaign/message-body.ts'
import type { Row } from '#projections/port.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import type { UploadRules } from '#runtime/campaign/audience/upload/plan-job.ts'
import { fileError, type LineFault } from '#runtime/campaign/audience/upload/read-file.ts'
import { CONTACT_PREVIEW } from '#runtime/isolation/jobs.ts'
import { answerOf, callerOf } from '#runtime/isolation/pooled-work.ts'
import { fieldErrorText } from '#runtime/localized-text.ts'
import { contactMappingSchema } from '#schemas/api/audience.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { MAX_FILE_BYTES } from '#schemas/field/file-type.ts'
import { parseJson } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, type Refusal } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { closedSignal, handle, type RouteRequest } from '../http/handle.ts'
import { contentDisposition } from '../http/headers.ts'
import { addMultipart, filePartOf, MULTIPART_FRAME, wholeContentOf } from '../http/multipart.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from './command.ts'

interface UploadRouteParts {
  readonly parts: Parts
  readonly audiences: Audiences
}
interface UploadTask {
  readonly campaign: string
  readonly profile: Row | undefined
  readonly level: string
  readonly rules: UploadRules
  readonly isDry: boolean
}

const MAX_FAULTS = 100
const NOT_FOUND = { code: 'entity.notfound' } as const
type ImportRequest = RouteRequest<'POST /campaign/{id}/contacts/import'>
type PreviewRequest = RouteRequest<'POST /campaign/{id}/contacts/preview'>
const MAX_NAME = 255
const NO_COUNTS = { read: 0, valid: 0, invalid: 0, dropped: 0, duplicate: 0, repeated: 0, suppressed: 0, added: 0 }

const wrong = (path: string, code: 'required' | 'format'): Refusal => ({
  code: 'validation.failed',
  errors: [{ path, code }],
})

const uploaded = async (request: FastifyRequest): Promise<{ readonly name: string; readonly bytes: Buffer }> => {
  const part = await filePartOf(request)
  const name = part.filename.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  return { name: name.replace(/\p{Cc}/gu, '').slice(0, MAX_NAME) || 'file', bytes: await wholeContentOf(part) }
}

const mappingOf = (text: string): z.output<typeof contactMappingSchema> => {
  const given = parseJson(text)
  if (given === undefined) throw new RequestRefused(wrong('mapping', 'format'))
  const parsed = contactMappingSchema.safeParse(given)
  if (!parsed.success) throw new RequestRefused(wrong('mapping', 'format'))
  if (parsed.data.columns.phone === undefined) throw new RequestRefused(wrong('mapping.columns.phone', 'required'))
  return parsed.data
}

const faultsOf = (faults: readonly LineFault[], language: Language, columns: Readonly<Record<string, unknown>> = {}) =>
  faults.slice(0, MAX_FAULTS).map(({ line, error }) => ({
    line,
    column: (columns[error.path] as number | undefined) ?? (error.path === '' ? null : error.path),
    code: String(error.params?.rule ?? error.code),
    message: fieldErrorText(error, language),
  }))

/** Imports a file, or returns the expected result. */
const take = async (
  { parts, audiences }: UploadRouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { campaign, profile, level, rules, isDry }: UploadTask,
): Promise<FastifyReply> => {
  const { name, bytes } = await uploaded(request)
  const uploads = await audiences.uploads()
  const again = uploads.earlier({ campaign, bytes }) ?? null
  const { language } = request
  if (isDry) {
    const signal = closedSignal(reply)
    const { status, counts, error, faults } = await uploads.try({ campaign, bytes, rules, signal })
    const told = faultsOf(faults, language, rules.mapping?.columns)
    const text = error === undefined ? null : fieldErrorText(error, language)
    return reply.send({ id: null, status, ...counts, error: text, faults: told, again })
  }
  const body = { file: createHash('sha256').update(bytes).digest('hex') }
  const write = async (_seed: string, { user }: { readonly user: string | null }) => {
    const given = { campaign, profile: profile?.id ?? null, level, name, bytes, rules, actor: user, language }
    const { id, position } = await uploads.receive(given)
    const result = { id, status: 'received', ...NO_COUNTS, error: null, faults: [], again } as unknown as JsonObject
    return accepted({ position, result })
  }
  const done = await runWrite(parts, request, reply, write, { body })
  return done === undefined ? reply : reply.send(done)
}

const textOfField = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const schemaText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value.trim() : JSON.stringify(value)

const UPLOAD = { permission: 'createcontact', bodyLimit: MAX_FILE_BYTES + MULTIPART_FRAME }

function addProfileUpload(app: FastifyInstance, given: UploadRouteParts): void {
  handle(app, 'POST /campaignuploadprofile/{id}/upload', UPLOAD, async (request, reply) => {
    const { scope } = sessionOf(request)
    const { read } = given.parts
    const profile = await read.detail(scope, 'campaignuploadprofile', request.params.id)
    const campaign = profile && (await read.detail(scope, 'campaign', String(profile.campaign_id)))
    if (profile === undefined || campaign === undefined) return refuse(reply, { code: 'entity.notfound' })
    const { mapping, dryrun: isDry } = request.query
    const rules: UploadRules = {
      pre: textOfField(profile.transformation_pre_rule),
      schema: schemaText(profile.validation_schema),
      post: textOfField(profile.transformation_post_rule),
      partial: profile.partial_upload_allowed === true,
      ...(mapping === undefined ? {} : { mapping: mappingOf(mapping) }),
    }
    return take(given, request, reply, {
      ...{ campaign: campaign.id, profile, level: String(profile.hierarchylevel), rules, isDry },
    })
  })
}

/** A campaign or list that contacts of a file are brought to. */
interface Target {
  readonly id: string
  readonly hierarchylevel: string | null
  /** Of a campaign. */
  readonly mapping?: unknown
}

async function importInto(given: UploadRouteParts, request: ImportRequest, reply: FastifyReply, target: Target) {
  const { mapping, partial, dryrun: isDry } = request.query
  const rules = { pre: '', schema: '', post: '', partial, mapping: mappingOf(mapping) }
  const level = String(target.hierarchylevel)
  return take(given, request, reply, { campaign: target.id, profile: undefined, level, rules, isDry })
}

async function previewOf(given: UploadRouteParts, request: PreviewRequest, reply: FastifyReply, target: Target) {
  const { bytes } = await uploaded(request)
  const options = { from: callerOf(target, target.id), signal: closedSignal(reply) }
  const mapped = mappingOfCampaign(target.mapping as Json).filter(({ source }) => source !== 'text')
  const used = [...Map.groupBy(mapped, ({ source }) => source)].map(
    ([field, some]) => [field, some.map(({ variable }) => variable)] as const,
  )
  const task = { bytes, header: request.query.header, used }
  const answer = answerOf(await given.parts.work.run(CONTACT_PREVIEW, task, options)) ?? {
    fault: { code: 'inflated' as const },
  }
  if ('fault' in answer) return refuse(reply, { code: 'validation.failed', errors: [fileError(answer.fault)] })
  const { faults, ...preview } = answer.preview
  const again = (await given.audiences.uploads()).earlier({ campaign: target.id, bytes }) ?? null
  const told = faultsOf(faults, request.language, preview.mapping.columns)
  return { ...preview, faults: told, again }
}

function addImports(app: FastifyInstance, given: UploadRouteParts): void {
  const { read } = given.parts
  const campaignOf = (request: FastifyRequest, id: string) => read.detail(sessionOf(request).scope, 'campaign', id)
  const listOf = (request: FastifyRequest, id: string) => read.detail(sessionOf(request).scope, 'contactlist', id)
  const previewing = { ...UPLOAD, effect: 'reads' } as const
  handle(app, 'POST /campaign/{id}/contacts/import', UPLOAD, async (request, reply) => {
    const target = await campaignOf(request, request.params.id)
    return target === undefined ? refuse(reply, NOT_FOUND) : importInto(given, request, reply, target)
  })
  handle(app, 'POST /contactlist/{id}/contacts/import', UPLOAD, async (request, reply) => {
    const target = await listOf(request, request.params.id)
    return target === undefined ? refuse(reply, NOT_FOUND) : importInto(given, request, reply, target)
  })
  handle(app, 'POST /campaign/{id}/contacts/preview', previewing, async (request, reply) => {
    const target = await campaignOf(request, request.params.id)
    return target === undefined ? refuse(reply, NOT_FOUND) : previewOf(given, request, reply, target)
  })
  handle(app, 'POST /contactlist/{id}/contacts/preview', previewing, async (request, reply) => {
    const target = await listOf(request, request.params.id)
    return target === undefined ? refuse(reply, NOT_FOUND) : previewOf(given, request, reply, target)
  })
}

/** The lines that were not added, with why, as a file; cells that a spreadsheet would run are defused. */
function addRejects(app: FastifyInstance, { parts, audiences }: UploadRouteParts): void {
  handle(app, 'GET /campaignupload/{id}/rejects', { permission: 'readcontact' }, async (request, reply) => {
    const row = await parts.read.detail(sessionOf(request).scope, 'campaignupload', request.params.id)
    const options = { language: request.language, signal: closedSignal(reply) }
    const lines = row && (await (await audiences.uploads()).rejects(row.id, options))
    if (row === undefined || lines === undefined) return refuse(reply, { code: 'entity.notfound' })
    return reply
      .header('content-disposition', contentDisposition('attachment', `${String(row.name)}-rejects.csv`))
      .header('cache-control', 'no-store')
      .type('text/csv; charset=utf-8')
      .send(lines)
  })
}

/** Files that become contacts. */
export const addContactUploads = async (app: FastifyInstance, given: UploadRouteParts): Promise<void> => {
  addRejects(app, given)
  // Only these routes read multipart: the plugin stays in this scope.
  await app.register(async files => {
    await addMultipart(files)
    addProfileUpload(files, given)
    addImports(files, given)
  })
}
