import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ParserName } from '#domain/expression/engine.ts'
import type { Row } from '#projections/port.ts'
import type { FlowKind } from '#realtime/port.ts'
import { callerOf, openEvaluator, openSandbox, readFeedInPool } from '#runtime/isolation/pooled-work.ts'
import { SCRIPT_LIMITS } from '#runtime/isolation/script/script-run.ts'
import type { WorkCaller } from '#runtime/isolation/work.ts'
import type { OutboundAnswer, OutboundRequest } from '#runtime/outbound/call.ts'
import { bodyText, type Evaluation, feedRequest, numberAt, restRequest } from '#runtime/outbound/rest-request.ts'
import type { JsonObject } from '#schemas/event.ts'
import { own, textAt } from '#schemas/json.ts'
import type { Refusal } from '#schemas/refusal.ts'
import { closedSignal, handle, type IdRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { sessionOf } from './command.ts'
import { isThere } from './flow.ts'

/** Of one person within a minute. */
const MAX_TRIES_PER_MINUTE = 30
/** Of everybody at one time. */
const MAX_CONCURRENT = 16

/** As many as the block asks for, but never more than it may. */
const NEWS = 3
const MAX_NEWS = 100

/** Tries one block with what the caller made up, and answers what came of it. */
type Try = (properties: JsonObject, evaluation: TriedWith, request: FastifyRequest) => Promise<object>

interface TriedWith extends Evaluation {
  readonly from: WorkCaller
  readonly signal: AbortSignal
}

const createTries = (parts: Parts) => {
  const { call, work } = parts

  const told = async (request: FastifyRequest, asked: OutboundRequest) => {
    const began = performance.now()
    const result = await call(asked)
    const time = Math.round(performance.now() - began)
    const { user } = sessionOf(request).access
    const host = URL.parse(asked.url)?.host
    const outcome = result.ok ? result.value.status : result.refusal.code
    parts.log.info({ correlation: request.id, user, host, outcome, time }, 'tried a call')
    return { time, result }
  }

  const tryRest: Try = async (properties, evaluation, request) => {
    const made = await restRequest(properties, evaluation)
    if (!made.ok) return { time: 0, failure: failureOf(made.refusal, request) }
    const { method, url } = made.value
    const { time, result } = await told(request, made.value)
    const sent = { time, request: { method, url } }
    return result.ok
      ? { ...sent, answer: answerOf(result.value) }
      : { ...sent, failure: failureOf(result.refusal, request) }
  }

  const tryFeed: Try = async (properties, evaluation, request) => {
    const made = await feedRequest(properties, evaluation)
    if (!made.ok) return { time: 0, failure: failureOf(made.refusal, request) }
    const { time, result } = await told(request, made.value)
    if (!result.ok) return { time, failure: failureOf(result.refusal, request) }
    const { status, url: address } = result.value
    const most = Math.min(numberAt(properties, 'numberOfNews', NEWS), MAX_NEWS)
    const feed = await readFeedInPool(
      { pool: work, from: evaluation.from },
      { xml: bodyText(result.value) ?? '', most, address },
    )
    return feed === undefined
      ? { time, status, failure: failureOf({ code: 'feed.format' }, request) }
      : { time, status, feed }
  }

  /** Its parameters are the values of the names that it lists, in that order. */
  const tryScript: Try = async (properties, { values, from, signal }, request) => {
    const source = textAt(properties, 'js')
    const names = properties.handlerparameters
    const parameters = (Array.isArray(names) ? names : []).map(name => own(values, String(name)) ?? null)
    if (source.length > SCRIPT_LIMITS.source)
      return { time: 0, console: [], failure: failureOf({ code: 'request.toolarge' }, request) }
    const { waited: _, ...run } = await openSandbox(work, from, { signal }).run({ source, parameters })
    return run
  }

  return { tryRest, tryFeed, tryScript }
}

/** Trial of a block from the designer with sample values: stores nothing, and logs no request or answer. */
export const addBlockTryOut = (app: FastifyInstance, parts: Parts): void => {
  const { tryRest, tryFeed, tryScript } = createTries(parts)
  const limit = parts.rates.add('try', MAX_TRIES_PER_MINUTE)
  let running = 0

  const add = (kind: FlowKind, action: 'call' | 'feed' | 'script', attempt: Try) =>
    handle(
      app,
      `POST /{kind}/{id}/try/${action}`,
      { path: { kind }, permission: `update${kind}`, effect: 'calls out' },
      async (request, reply) => {
        if (!(await isThere(parts, request, reply, kind))) return reply
        const { user } = sessionOf(request).access
        const wait = limit.wait(user) ?? (running < MAX_CONCURRENT ? undefined : 5)
        if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
        limit.count(user)
        running += 1
        try {
          const { properties, values } = request.body
          const bot = await botOf(parts, request, kind)
          // Apart from the conversations of the bot.
          const from = callerOf({ hierarchylevel: bot?.hierarchylevel ?? null }, `try ${user}`)
          const signal = closedSignal(reply)
          const evaluator = openEvaluator(parts.work, from, signal)
          const evaluation = { evaluator, parser: parserOf(bot), values, from, signal }
          return reply.send(await attempt(properties, evaluation, request))
        } finally {
          running -= 1
        }
      },
    )

  for (const kind of ['dialog', 'handler'] as const) {
    add(kind, 'call', tryRest)
    add(kind, 'feed', tryFeed)
    add(kind, 'script', tryScript)
  }
}

/** The bot that a flow belongs to. */
async function botOf({ read }: Parts, request: IdRequest, kind: FlowKind): Promise<Row | undefined> {
  const { scope } = sessionOf(request)
  const named = async (entity: 'dialogtask' | 'bot', row: Row | undefined) => {
    const id = row?.[entity]
    return typeof id === 'string' ? read.detail(scope, entity, id) : undefined
  }
  const flow = await read.detail(scope, kind, request.params.id)
  return named('bot', await named('dialogtask', flow))
}

/** Expression language of a bot. */
function parserOf(bot: Row | undefined): ParserName {
  const parser = bot?.expressionparser
  return parser === 'ExprEval' || parser === 'JsonAta' ? parser : 'Jexl'
}

/** A refusal as a part of an answer: trying did work, what was tried did not. */
function failureOf(refusal: Refusal, request: FastifyRequest) {
  const { code, detail, errors } = problemOf(refusal, request.language)
  return { code, detail, ...(errors === undefined ? {} : { errors }) }
}

function answerOf(answer: OutboundAnswer) {
  const { status, url, redirects, truncated } = answer
  const body = bodyText(answer)
  return {
    status,
    url,
    redirects,
    headers: answer.headers.map(([name, value]) => ({ name, value })),
    body: body ?? '',
    binary: body === undefined,
    size: answer.body.length,
    truncated,
  }
}
