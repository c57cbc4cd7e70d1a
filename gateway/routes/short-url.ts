import type { FastifyInstance } from 'fastify'
import { redirectTarget } from '#domain/tiny-url.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { isPublicHost } from '#runtime/outbound/public-host.ts'
import { DEFAULT_LANGUAGE, type Language, languageOf } from '#schemas/language.ts'
import { openVisitCounter } from '../count-visits.ts'
import { sourceOf } from '../http/client-address.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'

/** Unknown addresses that one client may ask for in a minute: codes can not be found by trying. */
const MAX_MISSES = 60
const CODE = /^[a-z2-9]{10}$/u

const page = (language: Language, title: string, text: string) =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${title}</title><style>:root{color-scheme:light dark}body{font:16px/1.5 Arial,sans-serif;margin:20vh auto;` +
  `max-width:30em;padding:0 1em;text-align:center}</style><h1>${title}</h1><p>${text}</p></html>`

/** For a person in a browser; a program gets the problem as JSON. */
const NOWHERE: Readonly<Record<Language, string>> = {
  en: page('en', 'This address leads nowhere', 'It may have been mistyped, or whoever made it has removed it.'),
  pt: page('pt', 'Este endereço não leva a lugar nenhum', 'Pode ter sido digitado errado, ou quem o criou o removeu.'),
  es: page('es', 'Esta dirección no lleva a ninguna parte', 'Puede estar mal escrita, o quien la creó la eliminó.'),
}

/** GET /botadmin/t/{shorturl}: redirects whoever asks, without a session, and counts the visit. */
export const addShortUrl = (app: FastifyInstance, { read, store, settings, log, rates }: Parts): void => {
  const misses = rates.add('short url', MAX_MISSES)
  const visits = openVisitCounter(store, error => log.error(error))
  const isOpenHost = (host: string) => settings.ALLOW_PRIVATE_ADDRESSES || isPublicHost(host)
  app.addHook('onClose', () => visits.close())

  const find = async (shorturl: string) => {
    if (!CODE.test(shorturl)) return undefined
    const query = { page: 1, size: 1, filter: { shorturl } }
    return (await read.list(SYSTEM_SCOPE, 'tinyurlmapping', query)).items[0]
  }

  app.get<{ Params: { shorturl: string } }>('/botadmin/t/:shorturl', async (request, reply) => {
    request.language = languageOf(request.headers['accept-language']) ?? DEFAULT_LANGUAGE
    const source = sourceOf(request.ip)
    const retryAfter = misses.wait(source)
    if (retryAfter !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter } })
    const found = await find(request.params.shorturl)
    const target = redirectTarget(found?.original_url, isOpenHost)
    if (found === undefined || target === undefined) {
      misses.count(source)
      if (!request.headers.accept?.includes('text/html')) return refuse(reply, { code: 'entity.notfound' })
      return reply.code(404).type('text/html; charset=utf-8').send(NOWHERE[request.language])
    }
    // A HEAD request looks where it leads without going there.
    if (request.method === 'GET') visits.count(found.id)
    return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(target, 302)
  })
}
