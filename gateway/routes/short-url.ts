import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { appendAtEnd, draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { redirectTarget } from '#domain/tiny-url.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { createPublicHostCheck } from '#runtime/outbound/call.ts'
import type { Json } from '#schemas/event.ts'
import { visitStream } from '#schemas/events/notification.ts'
import type { Language } from '#schemas/language.ts'
import { type PublicRoute, requestValue, Unproven } from '../http/public-route-checks.ts'
import type { Parts } from '../port.ts'

/**
 * Visits of one address within this time are one event. The time doubles while visits continue, up to the longer one. A
 * killed node loses its unwritten visits.
 */
const GATHER_MS = 1_000
const MAX_GATHER_MS = 60_000
/** Addresses whose visits wait at one time; more are written at once. */
const MAX_WAITING = 10_000

interface VisitCounter {
  count(mapping: string): void
  /** Writes down what waits. */
  close(): Promise<void>
}

/**
 * Counts visits of short addresses beside the redirects, so that none waits for the store. Counts are differences: nodes
 * add them up without knowing of each other.
 */
const openVisitCounter = (
  store: EventStore,
  failed: (error: unknown) => void,
  now: () => number = () => performance.now(),
): VisitCounter => {
  let gatherMs = GATHER_MS
  let flushedAt = Number.NEGATIVE_INFINITY
  let waiting = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async (mapping: string, count: number) => {
    const seed = randomUUID()
    const author = { seed, actor: null, time: new Date().toISOString(), correlation: seed, causation: null }
    const event = draft(author, 'visited', 'TinyUrlVisited', null, { count })
    await appendAtEnd(store, visitStream(mapping), [event])
  }
  const add = (mapping: string, count: number) => waiting.set(mapping, (waiting.get(mapping) ?? 0) + count)
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const counted = waiting
    waiting = new Map()
    flushedAt = now()
    for (const [mapping, count] of counted)
      await write(mapping, count).catch(error => {
        add(mapping, count)
        failed(error)
      })
  }
  const flushNext = () => {
    writing = writing.then(flush)
    return writing
  }
  const flushLater = () => {
    gatherMs = now() - flushedAt > gatherMs ? GATHER_MS : Math.min(gatherMs * 2, MAX_GATHER_MS)
    return setTimeout(flushNext, gatherMs).unref()
  }
  return {
    count(mapping) {
      add(mapping, 1)
      if (waiting.size >= MAX_WAITING) void flushNext()
      else timer ??= flushLater()
    },
    close: flushNext,
  }
}

/** Unknown addresses that one client may ask for in a minute: codes can not be found by trying. */
const MAX_MISSES = 60
const CODE = /^[a-z2-9]{10}$/u

const page = (language: Language, title: string, text: string) =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${title}</title><style>:root{color-scheme:light dark}body{font:16px/1.5 Arial,sans-serif;margin:20vh auto;` +
  `max-width:30em;padding:0 1em;text-align:center}</style><h1>${title}</h1><p>${text}</p></html>`

interface Link {
  readonly id: string
  readonly target: string
}

/** For a person in a browser; a program gets the problem as JSON. */
const NOWHERE: Readonly<Record<Language, string>> = {
  en: page('en', 'This address leads nowhere', 'It may have been mistyped, or whoever made it has removed it.'),
  pt: page('pt', 'Este endereço não leva a lugar nenhum', 'Pode ter sido digitado errado, ou quem o criou o removeu.'),
  es: page('es', 'Esta dirección no lleva a ninguna parte', 'Puede estar mal escrita, o quien la creó la eliminó.'),
}

/** GET /botadmin/t/{shorturl}: redirects any caller, without a session, and counts the visit. */
export const addShortUrl = (app: FastifyInstance, { read, store, settings, log }: Parts): void => {
  const visits = openVisitCounter(store, error => log.error(error))
  const isOpenHost = createPublicHostCheck({ allowPrivate: settings.ALLOW_PRIVATE_ADDRESSES })
  app.addHook('onClose', () => visits.close())

  const find = async (shorturl: string) => {
    if (!CODE.test(shorturl)) return undefined
    const query = { page: 1, size: 1, filter: { shorturl } }
    return (await read.list(SYSTEM_SCOPE, 'tinyurlmapping', query)).items[0]
  }

  const targetOf = async (address: Json | undefined) => {
    const host = typeof address === 'string' ? URL.parse(address)?.hostname : undefined
    const isOpen = host !== undefined && (await isOpenHost(host))
    return redirectTarget(address, () => isOpen)
  }
  const links = requestValue<Link>()
  const door: PublicRoute = {
    failures: { name: 'short url', most: MAX_MISSES },
    async target(request, reply) {
      const found = await find((request.params as { readonly shorturl: string }).shorturl)
      const target = await targetOf(found?.original_url)
      if (found !== undefined && target !== undefined) {
        links.set(request, { id: found.id, target })
        return undefined
      }
      const missing = new Unproven({ code: 'entity.notfound' })
      if (!request.headers.accept?.includes('text/html')) throw missing
      app.openDoor.fail(request)
      reply.code(404).type('text/html; charset=utf-8').send(NOWHERE[request.language])
      return undefined
    },
  }
  app.get('/botadmin/t/:shorturl', { config: { door } }, async (request, reply) => {
    const { id, target } = links.of(request)
    // A HEAD request looks where it leads without going there.
    if (request.method === 'GET') visits.count(id)
    return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(target, 302)
  })
}
