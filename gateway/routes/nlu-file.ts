import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { UploadPlan } from '#commands/nlu/plan-upload.ts'
import type { NluFileContent } from '#domain/nlu/format/nlu-file-content.ts'
import { writeRasa } from '#domain/nlu/format/rasa-yaml.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { callerOf } from '#runtime/isolation/pooled-work.ts'
import { readNluFileInPool, type UploadedFile } from '#runtime/nlu/nlu-jobs.ts'
import { contentOf, loadProjectEntities } from '#runtime/nlu/project-entities.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { closedSignal, handle, type RouteRequest } from '../http/handle.ts'
import { contentDisposition } from '../http/headers.ts'
import { addMultipart, filePartOf, MULTIPART_FRAME, wholeContentOf } from '../http/multipart.ts'
import type { Parts } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { runWrite, sessionOf, shown } from './command.ts'

const FILE_LIMIT = 16_000_000
const MAX_ROWS = 1000
const TYPES = { json: 'application/json; charset=utf-8', yaml: 'application/yaml; charset=utf-8' } as const

/** Training data of a project as a file: taken out, looked at, brought in. */
export const addNluFile = async (app: FastifyInstance, parts: Parts): Promise<void> => {
  addDownload(app, parts)
  // Only this route reads multipart: the plugin stays in this scope.
  await app.register(async uploads => {
    await addMultipart(uploads, { fileSize: FILE_LIMIT, fields: 10 })
    addUpload(uploads, parts)
  })
}

const addDownload = (app: FastifyInstance, { read }: Parts): void => {
  handle(app, 'GET /nluproject/{id}/download', { permission: 'readnluproject' }, async (request, reply) => {
    const { scope } = sessionOf(request)
    const row = await read.detail(scope, 'nluproject', request.params.id)
    if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
    const format = request.query.format ?? (await preferredFormat(read))
    const things = await loadProjectEntities(read, scope, row.id)
    const name = contentDisposition('attachment', `${String(row.name)}.${format}`)
    return reply
      .header('content-disposition', name)
      .type(TYPES[format])
      .send(writeRasa(contentOf(things, row), format))
  })
}

const preferredFormat = async (read: Parts['read']): Promise<'json' | 'yaml'> => {
  const settings = await read.detail(SYSTEM_SCOPE, 'nlusettings', 'nlusettings')
  return settings?.nluformattodownload === 'json' ? 'json' : 'yaml'
}

const addUpload = (app: FastifyInstance, parts: Parts): void => {
  handle(
    app,
    'POST /nluproject/{id}/upload',
    { bodyLimit: FILE_LIMIT + MULTIPART_FRAME, permission: 'updatenluproject' },
    (request, reply) => upload(parts, request, reply),
  )
}

type UploadRequest = RouteRequest<'POST /nluproject/{id}/upload'>

const upload = async (parts: Parts, request: UploadRequest, reply: FastifyReply) => {
  const { commands, read } = parts
  const { scope, caller } = sessionOf(request)
  const { language, id: correlation } = request
  const project = await read.detail(scope, 'nluproject', request.params.id)
  if (project === undefined) return refuse(reply, { code: 'entity.notfound' })
  const file = await uploaded(request)
  const gathered = await readNluFileInPool(parts.work, file, String(project.locale), {
    ...{ from: callerOf(project), signal: closedSignal(reply) },
  })
  const isWrite = !request.query.dryrun
  if (!gathered.ok) {
    if (isWrite) await recordFailure(parts, request, reply, project.id)
    return refuse(reply, gathered.refusal)
  }
  const source = async () => {
    const present = await loadProjectEntities(read, scope, project.id)
    return { project: project.id, gathered: gathered.value, present }
  }
  if (!isWrite) {
    const plan = await commands.planUpload({ caller, seed: correlation, correlation }, await source())
    return plan.ok ? answerOf(plan.value, gathered.value, language) : refuse(reply, plan.refusal)
  }
  let rejected: JsonObject | undefined
  const answer = await runWrite(
    parts,
    request,
    reply,
    async (seed, now) => {
      const starter = { caller: now, seed, correlation }
      const plan = await commands.planUpload(starter, await source())
      if (!plan.ok) return plan
      const planned = answerOf(plan.value, gathered.value, language)
      if (planned.refused > 0) {
        rejected = planned as unknown as JsonObject
        await recordFailure(parts, request, reply, project.id)
        return refused('import.refused', { params: { count: planned.refused } })
      }
      const process = await commands.runUpload(starter, project.id, plan.value)
      return accepted({ position: await parts.store.head(), result: { ...planned, process } as unknown as JsonObject })
    },
    { refusedMembers: () => rejected, body: { file: hash('sha256', file.bytes) } },
  )
  return answer === undefined ? reply : reply.send(answer)
}

/** The project shows that its last upload failed, before the answer to the upload is sent. */
const recordFailure = async (parts: Parts, request: UploadRequest, reply: FastifyReply, id: string): Promise<void> => {
  const { caller } = sessionOf(request)
  const input = { upload_status: 'failed' }
  const command = { entity: 'nluproject', action: 'upload', id, input, caller, correlation: request.id }
  const outcome = await parts.commands.execute(command)
  if (outcome.ok) await shown(parts, reply, outcome.position)
}

/** The field `file`. */
const uploaded = async (request: FastifyRequest): Promise<UploadedFile> => {
  const part = await filePartOf(request)
  return { name: part.filename.slice(0, 200), bytes: new Uint8Array(await wholeContentOf(part)) }
}

const answerOf = ({ items }: UploadPlan, { unread }: NluFileContent, language: Language) => {
  const count = (outcome: string) => items.filter(item => item.outcome === outcome).length
  const wanted = items.toSorted((a, b) => Number(b.outcome === 'refused') - Number(a.outcome === 'refused'))
  return {
    added: count('added'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    refused: count('refused'),
    rows: wanted.slice(0, MAX_ROWS).map(({ refusal, ...item }) => {
      if (refusal === undefined) return item
      const { code, detail, errors = [] } = problemOf(refusal, language)
      const told = errors.map(({ path, code: of, message }) => ({ path, code: of, message }))
      return { ...item, errors: told.length === 0 ? [{ path: '', code, message: detail }] : told.slice(0, 20) }
    }),
    notunderstood: unread.slice(0, MAX_ROWS),
  }
}
