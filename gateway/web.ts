import { existsSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { PUBLIC_PAGE } from './http/public-route-checks.ts'

const BASE = '/botadmin/'
const DIST = fileURLToPath(new URL('../web/dist', import.meta.url))
/** First parts of a path under the base that are no pages. */
const NOT_PAGES = new Set(['api', 'assets', 'realtime', 'socket.io', 't'])
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Other sites load the script of the web chat from one address: it is fetched again after this, s. */
const SCRIPT_MAX_AGE = 600

const cacheOf = (folder: string, path: string): string => {
  if (path.startsWith(join(folder, 'assets'))) return IMMUTABLE
  return path.startsWith(join(folder, 'chat')) ? `public, max-age=${SCRIPT_MAX_AGE}` : 'no-cache'
}

/**
 * The console's built files, precompressed. Those under `assets/` have a hash in their name and never change; a path
 * without a file is a page of the console, routed in the browser.
 */
export const addWeb = async (app: FastifyInstance, folder = DIST): Promise<void> => {
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', cacheOf(folder, path))
    },
  })
  const config = { door: PUBLIC_PAGE }
  app.get('/', { config }, async (_request, reply) => reply.redirect(BASE, 302))
  app.get('/botadmin', { config }, async (_request, reply) => reply.redirect(BASE, 302))
  app.get<{ Params: { '*': string } }>(`${BASE}*`, { config }, async (request, reply) => {
    const path = request.params['*']
    const isFile = /[^/]\.[a-z0-9]+$/i.test(path)
    // Does not reveal other files beside the built ones.
    const inside = resolve(folder, path).startsWith(resolve(folder) + sep)
    if (isFile && inside && existsSync(join(folder, path))) return reply.sendFile(path)
    if (isFile || NOT_PAGES.has(path.split('/')[0] ?? '')) return reply.callNotFound()
    if (existsSync(join(folder, 'index.html'))) return reply.sendFile('index.html')
    return reply.code(404).type('text/plain').send('The console has not been built: npm start builds it.\n')
  })
}
