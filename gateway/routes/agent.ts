import type { FastifyInstance } from 'fastify'
import type { AgentCheck } from '#runtime/agent/port.ts'
import { agentTestAnswer } from '#schemas/api/agent.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Language } from '#schemas/language.ts'
import type { Parts } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** Of one person. */
const MAX_TESTS_PER_MINUTE = 30

const told = ({ part, result }: AgentCheck, language: Language) => {
  if (result.ok) return { part, ok: true, detail: result.value }
  const { code, detail } = problemOf(result.refusal, language)
  return { part, ok: false, detail, code }
}

/** Calls the agent system of a stored channel with its stored key and returns the outcome. */
export const addAgentTest = (app: FastifyInstance, parts: Parts): void => {
  const limit = parts.rates.add('agent test', MAX_TESTS_PER_MINUTE)

  app.post<{ Params: { id: string } }>(
    '/agentchannel/:id/test',
    {
      config: { permission: 'testagentchannel', effect: 'calls out' },
      schema: { tags: ['agentchannel'], params: idParam, response: { 200: agentTestAnswer } },
    },
    async (request, reply) => {
      const { access, scope } = sessionOf(request)
      const { id } = request.params
      if ((await parts.read.detail(scope, 'agentchannel', id)) === undefined)
        return refuse(reply, { code: 'entity.notfound' })
      const wait = limit.wait(access.user)
      if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
      limit.count(access.user)
      const started = performance.now()
      const checks = await parts.agents.check(id)
      if (checks === undefined) return refuse(reply, { code: 'agent.unsupported' })
      const time = Math.round(performance.now() - started)
      return {
        ok: checks.every(({ result }) => result.ok),
        time,
        checks: checks.map(check => told(check, request.language)),
      }
    },
  )
}
