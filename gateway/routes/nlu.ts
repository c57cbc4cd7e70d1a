import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { UploadPlan } from '#commands/nlu/plan-upload.ts'
import {
  belowThreshold,
  compareLines,
  confusionOf,
  type Evaluation,
  entityScores,
  intentScores,
  type JudgedLine,
  judgedLines,
  meanF1,
} from '#domain/nlu/evaluation.ts'
import type { NluFileContent } from '#domain/nlu/format/nlu-file-content.ts'
import { writeRasa } from '#domain/nlu/format/rasa-yaml.ts'
import { parseStatement } from '#domain/nlu/project-data.ts'
import { type ListedModel, modelsOf } from '#domain/nlu-training.ts'
import { dismissedOf } from '#domain/nluproject.ts'
import type { ReadModels, RowOf, Scope } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { callerOf } from '#runtime/isolation/pooled-work.ts'
import { readNluFileInPool, type UploadedFile } from '#runtime/nlu/nlu-jobs.ts'
import type { ModelSelector } from '#runtime/nlu/open-nlu.ts'
import { contentOf, loadProjectEntities, PROJECT_ENTITIES, type ProjectEntity } from '#runtime/nlu/project-content.ts'
import type { Conversations } from '#runtime/port.ts'
import type { evaluationSchema } from '#schemas/api/nlu.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { isObject } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { closedSignal, handle, type IdRequest, type RouteRequest } from '../http/handle.ts'
import { contentDisposition } from '../http/headers.ts'
import { addMultipart, filePartOf, MULTIPART_FRAME, wholeContentOf } from '../http/multipart.ts'
import type { Parts } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { runWrite, sessionOf, shown } from './command.ts'
import { recordReading } from './conversation.ts'

const MAX_WRONG = 2000

/** An evaluation in the API's format. */
const evaluationAnswer = (model: string, evaluation: Evaluation): z.output<typeof evaluationSchema> => {
  const { threshold, lines, pairs } = evaluation
  const nameOf = (intent: number) => evaluation.intents[intent] ?? ''
  const wrong = lines.filter(({ intent, found }) => intent !== found)
  const lineAt = (at: number) => {
    const { id = '', text = '', intent = -1 } = lines[at] ?? {}
    return { id, text, intent: nameOf(intent) }
  }
  const intents = intentScores(evaluation)
  return {
    model,
    threshold,
    lines: lines.length,
    right: lines.length - wrong.length,
    f1: meanF1(intents),
    below: belowThreshold(evaluation),
    intents: [...intents],
    entities: [...entityScores(evaluation)],
    confusion: confusionOf(evaluation).map(({ intent, found, count }) => ({
      intent: nameOf(intent),
      found: nameOf(found),
      count,
    })),
    wrong: wrong
      .toSorted((a, b) => b.confidence - a.confidence)
      .slice(0, MAX_WRONG)
      .map(({ id, text, intent, found, confidence }) => ({
        id,
        text,
        intent: nameOf(intent),
        found: nameOf(found),
        confidence,
      })),
    pairs: pairs.map(({ one, other, score }) => ({ one: lineAt(one), other: lineAt(other), score })),
  }
}

type ComparedLines = RouteRequest<'POST /nluproject/{id}/compare'>['body']['lines']

const MAX_CHANGED = 1000

const textOrNull = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

const wantedModel = (model: string): ModelSelector =>
  model === 'production' || model === 'test' ? model : { hash: model }

const listedModel = (project: RowOf<ProjectEntity>, wanted: ModelSelector): ListedModel | undefined =>
  modelsOf(project.models).find(model => (typeof wanted === 'string' ? model[wanted] : model.hash === wanted.hash))

/** The project of the request; undefined after a 404. */
const projectOf = async ({ read }: Parts, entity: ProjectEntity, request: IdRequest, reply: FastifyReply) => {
  const project = await read.detail(sessionOf(request).scope, entity, request.params.id)
  if (project === undefined) await refuse(reply, { code: 'entity.notfound' })
  return project
}

const configOf = (entity: ProjectEntity) => ({ permission: `read${entity}` })

const addParse = (app: FastifyInstance, parts: Parts, entity: ProjectEntity): void => {
  handle(app, `POST /${entity}/{id}/parse`, { ...configOf(entity), effect: 'reads' }, async (request, reply) => {
    const project = await projectOf(parts, entity, request, reply)
    if (project === undefined) return reply
    const { text, model: name } = request.body
    const model = wantedModel(name)
    const answer = await parts.nlu.parse(entity, project, { text, model, fuzzy: true, now: Date.now() })
    const code = listedModel(project, model) === undefined ? 'nlu.model' : 'nlu.modelfile'
    return answer ?? refuse(reply, { code })
  })
}

const addTraining = (app: FastifyInstance, parts: Parts, entity: ProjectEntity): void => {
  handle(app, `GET /${entity}/{id}/training`, configOf(entity), async (request, reply) => {
    const project = await projectOf(parts, entity, request, reply)
    if (project === undefined) return reply
    const [progress, state] = [parts.nlu.progress(project.id), await parts.nlu.dataState(entity, project)]
    return {
      status: String(project.training_status),
      started: textOrNull(project.training_started_at),
      by: textOrNull(project.training_started_by),
      finished: textOrNull(project.training_finished_at),
      error: textOrNull(project.training_error),
      progress: progress?.progress ?? null,
      stages: progress?.stages ?? null,
      waiting: progress?.waiting ?? null,
      stale: state?.stale ?? null,
      untrained: state?.untrained ?? null,
    }
  })
}

const addEvaluation = (app: FastifyInstance, parts: Parts, entity: ProjectEntity): void => {
  handle(app, `GET /${entity}/{id}/evaluation`, configOf(entity), async (request, reply) => {
    const project = await projectOf(parts, entity, request, reply)
    if (project === undefined) return reply
    const model = listedModel(project, { hash: request.query.model })
    if (model === undefined) return refuse(reply, { code: 'nlu.model' })
    const evaluation = await parts.nlu.evaluation(model)
    return evaluation === undefined ? refuse(reply, { code: 'nlu.evaluation' }) : evaluationAnswer(model.id, evaluation)
  })
}

const addCompare = (app: FastifyInstance, parts: Parts, entity: ProjectEntity): void => {
  const judged = async (project: RowOf<ProjectEntity>, model: ListedModel, lines: ComparedLines) => {
    if (lines !== undefined) return parts.nlu.judge(entity, project, model.hash, lines)
    const evaluation = await parts.nlu.evaluation(model)
    return evaluation && judgedLines(evaluation)
  }
  handle(app, `POST /${entity}/{id}/compare`, { ...configOf(entity), effect: 'reads' }, async (request, reply) => {
    const project = await projectOf(parts, entity, request, reply)
    if (project === undefined) return reply
    const { body } = request
    const models = [body.model, body.other].map(hash => listedModel(project, { hash }))
    const found: (readonly JudgedLine[])[] = []
    for (const model of models) {
      if (model === undefined) return refuse(reply, { code: 'nlu.model' })
      const lines = await judged(project, model, body.lines)
      if (lines === undefined)
        return refuse(reply, { code: body.lines === undefined ? 'nlu.evaluation' : 'nlu.modelfile' })
      found.push(lines)
    }
    const comparison = compareLines(found[0] ?? [], found[1] ?? [])
    const { changed } = comparison
    return { ...comparison, changed: changed.slice(0, MAX_CHANGED), total: changed.length }
  })
}

/** Models of projects and brains: parsing of texts, training, evaluation, and comparison of two. */
export const addNlu = (app: FastifyInstance, parts: Parts): void => {
  for (const entity of PROJECT_ENTITIES) {
    addParse(app, parts, entity)
    addTraining(app, parts, entity)
    addEvaluation(app, parts, entity)
    addCompare(app, parts, entity)
  }
}

/** Turns that are looked at, the newest. */
const MAX_TURNS = 500

const sameText = (text: string): string => folded(text).trim()

/** Names a line without its words. */
const lineName = (project: string, text: string): string => hash('sha256', `${project}\n${text}`)

/** Existing statements of the project. */
const statementsOf = async (read: ReadModels, scope: Scope, project: string): Promise<ReadonlySet<string>> => {
  const intents = await allRows(read, scope, 'intent', { nluproject: project })
  const lines = intents.flatMap(({ statements }) => (Array.isArray(statements) ? statements : []))
  return new Set(
    lines.flatMap(line => (isObject(line) ? [sameText(parseStatement(String(line.text ?? '')).text)] : [])),
  )
}

/** GET /nluproject/{id}/unrecognized: messages that its bots did not understand, to label from. */
export const addUnrecognized = (
  app: FastifyInstance,
  parts: Parts,
  conversations: Pick<Conversations, 'records'>,
): void => {
  const { read } = parts
  handle(app, 'GET /nluproject/{id}/unrecognized', { permission: 'readconversation' }, async (request, reply) => {
    const { scope } = sessionOf(request)
    const project = await read.detail(scope, 'nluproject', request.params.id)
    if (project === undefined) return refuse(reply, { code: 'entity.notfound' })
    const bots = (await allRows(read, scope, 'bot', { nluproject: project.id })).map(({ id }) => id)
    const said = (await (await conversations.records())?.unrecognized(bots, MAX_TURNS)) ?? []
    if (said.length > 0) {
      const reading = { verb: 'listed', bot: null, level: project.hierarchylevel, part: 'unrecognized' } as const
      await recordReading(parts, request, reading)
    }
    const known = await statementsOf(read, scope, project.id)
    const dismissed = new Set(dismissedOf(project.dismissed))
    const texts = Map.groupBy(said, ({ text }) => sameText(text))
    const items = [...texts].flatMap(([text, [newest, ...older]]) => {
      if (newest === undefined || known.has(text)) return []
      const { input: _, time, ...turn } = newest
      const line = lineName(project.id, text)
      const facts = { line, dismissed: dismissed.has(line), count: 1 + older.length }
      return [{ ...turn, ...facts, time: new Date(time).toISOString() }]
    })
    return { items, more: said.length === MAX_TURNS }
  })
}

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
