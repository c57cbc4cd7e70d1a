import type { FastifyInstance } from 'fastify'
import type { StoredFile } from '#commands/port.ts'
import { isMediaAddress } from '#runtime/channel/template/template-media.ts'
import { contentDisposition, FILE_SANDBOX } from '../http/headers.ts'
import { type PublicRoute, requestValue, Unproven } from '../http/public-route-checks.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'

/** Addresses without a valid signature that one client may call in a minute. */
const MAX_MISSES = 120

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
