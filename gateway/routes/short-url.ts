import type { FastifyInstance } from 'fastify'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { isEntityName } from '#schemas/entities/registry.ts'
import { DEFAULT_LANGUAGE, languageOf } from '#schemas/language.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'

const ENTITY: string = 'tinyurlmapping'

/** The addresses that people outside are given: they lead on, or nowhere. */
export const addShortUrl = (app: FastifyInstance, { read }: Parts): void => {
  app.get<{ Params: { shorturl: string } }>('/botadmin/t/:shorturl', async (request, reply) => {
    request.language = languageOf(request.headers['accept-language']) ?? DEFAULT_LANGUAGE
    const { shorturl } = request.params
    const found = isEntityName(ENTITY)
      ? (await read.list(SYSTEM_SCOPE, ENTITY, { page: 1, size: 1, filter: { shorturl } })).items[0]
      : undefined
    const target = found?.originalurl
    if (typeof target !== 'string' || !/^https?:\/\//i.test(target)) return refuse(reply, { code: 'entity.notfound' })
    return reply.redirect(target, 302)
  })
}
