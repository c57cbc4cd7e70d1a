import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Settings } from '#schemas/settings.ts'
import { SCHEMA_CONTROLLER } from './pipeline.ts'

/** The same for every answer, so helmet is asked once and not with each request. */
export const addHeaders = async (app: FastifyInstance, settings: Settings): Promise<void> => {
  const headers = await headersOf(settings)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** Allows inline styles (the console's components create them at run time), but no inline scripts. */
const headersOf = async (settings: Settings): Promise<Readonly<Record<string, string>>> => {
  const secure = settings.PUBLIC_URL?.startsWith('https:') === true
  const reports = settings.METABASE_URL === undefined ? [] : [new URL(settings.METABASE_URL).origin]
  const asked = Fastify({ schemaController: SCHEMA_CONTROLLER })
  await asked.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        mediaSrc: ["'self'", 'blob:', 'https:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: reports.length === 0 ? ["'none'"] : reports,
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    hsts: secure,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  asked.get('/', async (_request, reply) => reply.raw.getHeaders())
  return (await asked.inject('/')).json()
}
