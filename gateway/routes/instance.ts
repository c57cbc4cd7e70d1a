import type { FastifyInstance } from 'fastify'
import { VERSION } from '#runtime/version.ts'
import { instanceSchema } from '#schemas/api/home.ts'
import { OPEN_PAGE } from '../open/open-door.ts'
import type { Parts } from '../port.ts'

/** What the console must know before anyone signs in; the page itself carries no script of its own. */
export const addInstance = (app: FastifyInstance, { settings, publicUrl }: Parts): void => {
  app.get(
    '/instance',
    { config: { open: true, door: OPEN_PAGE }, schema: { tags: ['instance'], response: { 200: instanceSchema } } },
    async () => ({
      name: settings.INSTANCE_NAME,
      theme: settings.THEME,
      version: VERSION,
      botrouterurl: settings.BOT_ROUTER_URL ?? publicUrl(),
    }),
  )
}
