import type { FastifyInstance } from 'fastify'
import type { ChannelCheck } from '#runtime/channel/open-channels.ts'
import { channelTestAnswer } from '#schemas/api/channel.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Language } from '#schemas/language.ts'
import type { Parts } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** Of one person. */
const MAX_TESTS_PER_MINUTE = 30

const told = ({ part, result, missing = [] }: ChannelCheck, language: Language) => {
  if (result.ok) return { part, ok: true, detail: result.value, missing: [...missing] }
  const { code, detail } = problemOf(result.refusal, language)
  return { part, ok: false, detail, code, missing: [...missing] }
}

/** Looks whether a stored channel has what it needs and whether its provider takes the stored credentials. */
export const addChannelTest = (app: FastifyInstance, parts: Parts): void => {
  const limit = parts.rates.add('channel test', MAX_TESTS_PER_MINUTE)

  app.post<{ Params: { id: string } }>(
    '/channel/:id/test',
    {
      config: { permission: 'testchannel', effect: 'calls out' },
      schema: { tags: ['channel'], params: idParam, response: { 200: channelTestAnswer } },
    },
    async (request, reply) => {
      const { access, scope } = sessionOf(request)
      const { id } = request.params
      if ((await parts.read.detail(scope, 'channel', id)) === undefined)
        return refuse(reply, { code: 'entity.notfound' })
      const wait = limit.wait(access.user)
      if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
      limit.count(access.user)
      const started = performance.now()
      const checks = await parts.channels.check(id)
      if (checks === undefined) return refuse(reply, { code: 'entity.notfound' })
      return {
        ok: checks.every(({ result }) => result.ok),
        time: Math.round(performance.now() - started),
        checks: checks.map(check => told(check, request.language)),
      }
    },
  )
}
