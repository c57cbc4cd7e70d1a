import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { z } from 'zod'
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
import { parseStatement } from '#domain/nlu/project-data.ts'
import { type ListedModel, modelsOf } from '#domain/nlu-training.ts'
import { dismissedOf } from '#domain/nluproject.ts'
import type { ReadModels, RowOf, Scope } from '#projections/port.ts'
import { allRows } from '#projections/scope.ts'
import type { ModelSelector } from '#runtime/nlu/open-nlu.ts'
import { PROJECT_ENTITIES, type ProjectEntity } from '#runtime/nlu/project-content.ts'
import type { Conversations } from '#runtime/port.ts'
import type { evaluationSchema } from '#schemas/api/nlu.ts'
import type { Json } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { isObject } from '#schemas/json.ts'
import { handle, type IdRequest, type RouteRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'
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
