import type { FastifyInstance } from 'fastify'
import { readTokenAnswer, tokenRequest } from '#domain/oauth.ts'
import type { MlCheck } from '#runtime/ml/ml-port.ts'
import { bodyText } from '#runtime/outbound/rest-request.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Language } from '#schemas/language.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** Of one person. */
const MAX_TESTS_PER_MINUTE = 30

const told = ({ part, result }: MlCheck, language: Language) => {
  if (result.ok) return { part, ok: true, detail: result.value }
  const { code, detail } = problemOf(result.refusal, language)
  return { part, ok: false, detail, code }
}

/** Tested entities: a channel of a bot, or the remote service of the NLU settings. */
const TESTED = ['mlchannel', 'nlusettings'] as const

/** Calls a stored outside system with its stored key and returns the outcome. */
export const addMlTest = (app: FastifyInstance, parts: Parts): void => {
  const limit = parts.rates.add('ml test', MAX_TESTS_PER_MINUTE)

  for (const entity of TESTED)
    handle(
      app,
      `POST /${entity}/{id}/test`,
      { permission: `test${entity}`, effect: 'calls out' },
      async (request, reply) => {
        const { access, scope } = sessionOf(request)
        const { id } = request.params
        if ((await parts.read.detail(scope, entity, id)) === undefined)
          return refuse(reply, { code: 'entity.notfound' })
        const wait = limit.wait(access.user)
        if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
        limit.count(access.user)
        const started = performance.now()
        const checks = await parts.ml.check(entity, id)
        if (checks === undefined) return refuse(reply, { code: 'entity.notfound' })
        const time = Math.round(performance.now() - started)
        return {
          ok: checks.every(({ result }) => result.ok),
          time,
          checks: checks.map(check => told(check, request.language)),
        }
      },
    )
}

const TIMEOUT_MS = 20_000
const MAX_BODY_BYTES = 100_000

/**
 * Requests a token with a stored configuration and returns the outcome. Token and secrets are in no answer and no log.
 */
export const addOAuthTest = (app: FastifyInstance, parts: Parts): void => {
  const { call } = parts
  const limit = parts.rates.add('oauth test', MAX_TESTS_PER_MINUTE)

  const receiptOf = async (fields: JsonObject) => {
    const request = tokenRequest(fields)
    if (!request.ok) return request
    const answer = await call({ method: 'POST', ...request.value, timeout: TIMEOUT_MS, most: MAX_BODY_BYTES })
    return answer.ok ? readTokenAnswer(answer.value.status, bodyText(answer.value) ?? '') : answer
  }

  handle(app, 'POST /oauth/{id}/test', { permission: 'testoauth', effect: 'calls out' }, async (request, reply) => {
    const { access, scope } = sessionOf(request)
    const { id } = request.params
    const isVisible = (await parts.read.detail(scope, 'oauth', id)) !== undefined
    const fields = isVisible ? await parts.commands.openFields('oauth', id) : undefined
    if (fields === undefined) return refuse(reply, { code: 'entity.notfound' })
    const wait = limit.wait(access.user)
    if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
    limit.count(access.user)
    const started = performance.now()
    const receipt = await receiptOf(fields)
    const time = Math.round(performance.now() - started)
    if (receipt.ok) return { ok: true, time, ...receipt.value }
    const { code, detail } = problemOf(receipt.refusal, request.language)
    return { ok: false, time, failure: { code, detail } }
  })
}
