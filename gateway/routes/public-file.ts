import type { FastifyInstance } from 'fastify'
import type { StoredFile } from '#commands/port.ts'
import { fileAddress } from '#domain/cloud-file.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { isMediaAddress } from '#runtime/channel/template/template-media.ts'
import { contentDisposition, FILE_SANDBOX } from '../http/headers.ts'
import { type PublicRoute, requestValue, Unproven } from '../http/public-route-checks.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'

/** Addresses that are unknown, or without a valid signature, that one client may ask for in a minute. */
const MAX_MISSES = 120
/** s that a browser shows a file without asking again: a removed one disappears after that. */
const MAX_AGE = 60

interface Params {
  readonly level: string
  readonly name: string
}

const fileOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? value.id : undefined

/** GET /botadmin/files/{level}/{name}: files uploaded to the cloud, for any caller. */
export const addPublicFile = (app: FastifyInstance, { read, storage }: Parts): void => {
  const files = requestValue<StoredFile>()
  const door: PublicRoute = {
    failures: { name: 'public file', most: MAX_MISSES },
    isLight: true,
    async target(request) {
      const { level, name } = request.params as Params
      const filter = { address: fileAddress(level.toWellFormed(), name.toWellFormed()) }
      const [row] = (await read.list(SYSTEM_SCOPE, 'cloudfile', { page: 1, size: 1, filter })).items
      const id = fileOf(row?.file)
      const file = id === undefined ? undefined : await storage.find(id)
      if (file === undefined) throw new Unproven({ code: 'entity.notfound' })
      files.set(request, file)
      return undefined
    },
  }
  app.get<{ Params: Params }>('/botadmin/files/:level/:name', { config: { door } }, async (request, reply) => {
    const { id, type } = files.of(request)
    reply
      .header('cache-control', `public, max-age=${MAX_AGE}`)
      .header('etag', `"${id}"`)
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-security-policy', FILE_SANDBOX)
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', contentDisposition(isShown(type) ? 'inline' : 'attachment', request.params.name))
    if (request.headers['if-none-match'] === `"${id}"`) return reply.code(304).send()
    const found = await storage.open(id)
    if (found === undefined) return refuse(reply, { code: 'entity.notfound' })
    return reply
      .type(type.startsWith('text/') ? `${type}; charset=utf-8` : type)
      .header('content-length', found.file.size)
      .send(found.content)
  })
}

/** Pictures, sounds, videos and PDF are shown where they are linked; other types are downloads. */
const isShown = (type: string): boolean => /^(?:image|audio|video)\/|^application\/pdf$/.test(type)

type Query = Readonly<Partial<Record<'file' | 'until' | 'key', string>>>

/** GET /media/{hash}: files of templates, for providers that load them from a signed address. */
export const addTemplateFile = (app: FastifyInstance, { storage, mediaSignature }: Parts): void => {
  const files = requestValue<StoredFile>()
  const door: PublicRoute = {
    failures: { name: 'template file', most: MAX_MISSES },
    isLight: true,
    async target(request) {
      const { hash } = request.params as { readonly hash: string }
      const { file = '', until = '', key = '' } = request.query as Query
      const isSigned = isMediaAddress({ hash, file, key, until: Number(until) }, mediaSignature, Date.now())
      const found = isSigned ? await storage.find(file) : undefined
      if (found === undefined) throw new Unproven({ code: 'entity.notfound' })
      files.set(request, found)
      return undefined
    },
  }
  app.get('/media/:hash', { config: { door } }, async (request, reply) => {
    const found = await storage.open(files.of(request).id)
    if (found === undefined) return refuse(reply, { code: 'entity.notfound' })
    const { type, name, size } = found.file
    return reply
      .header('cache-control', 'private, max-age=3600')
      .header('content-security-policy', FILE_SANDBOX)
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', contentDisposition('inline', name))
      .header('content-length', size)
      .type(type)
      .send(found.content)
  })
}
