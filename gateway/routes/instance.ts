import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { named } from '#schemas/api/name.ts'
import type { Parts } from '../port.ts'
import { VERSION } from '../version.ts'

const instanceSchema = named(
  'Instance',
  z.object({ name: z.string(), theme: z.string(), version: z.string(), botrouterurl: z.string() }),
)

/** What the console must know before anyone signs in; the page itself carries no script of its own. */
export const addInstance = (app: FastifyInstance, { settings, publicUrl }: Parts): void => {
  app.get(
    '/instance',
    { config: { open: true }, schema: { tags: ['instance'], response: { 200: instanceSchema } } },
    async () => ({
      name: settings.INSTANCE_NAME,
      theme: settings.THEME,
      version: VERSION,
      botrouterurl: settings.BOT_ROUTER_URL ?? publicUrl(),
    }),
  )
}
