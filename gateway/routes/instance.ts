import type { FastifyInstance } from 'fastify'
import { VERSION } from '#runtime/version.ts'
import { instanceSchema } from '#schemas/api/home.ts'
import { OPEN_PAGE } from '../open/open-door.ts'
import type { Parts } from '../port.ts'

/** Settings that the console needs before sign-in; the page itself has no inline script. */
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
