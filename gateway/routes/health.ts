import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSameSecret } from '#runtime/channel/shared/signature.ts'
import { VERSION } from '#runtime/parts.ts'
import type { Settings } from '#schemas/settings.ts'
import { handle } from '../http/handle.ts'
import { bearerOf } from '../http/headers.ts'
import { PUBLIC_PAGE, type PublicRoute, Unproven } from '../http/public-route-checks.ts'
import { unmapped } from '../http/rate-limit.ts'
import type { Parts } from '../port.ts'

const OPEN = { open: true, door: PUBLIC_PAGE }
/** Refused reads of figures of one address within a minute. */
const MAX_FAILURES = 60

const networksOf = (addresses: readonly string[]): BlockList => {
  const networks = new BlockList()
  for (const each of ['127.0.0.0/8', '::1', ...addresses]) {
    const [address = '', bits] = each.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(bits), family)
  }
  return networks
}

/** Figures are read from loopback, from the addresses of METRICS_ALLOW, or with METRICS_TOKEN. */
const metricsDoor = (settings: Settings): PublicRoute => {
  let allowed: BlockList | undefined
  const isAllowed = ({ ip, headers }: FastifyRequest) => {
    // Behind a proxy that is not trusted every caller has its address.
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
    if (isForwarded && settings.TRUSTED_PROXIES.length === 0) return false
    allowed ??= networksOf(settings.METRICS_ALLOW)
    return allowed.check(unmapped(ip), isIPv6(unmapped(ip)) ? 'ipv6' : 'ipv4')
  }
  return {
    failures: { name: 'metrics', most: MAX_FAILURES },
    isLight: true,
    async proof(request) {
      if (isAllowed(request)) return
      const { METRICS_TOKEN } = settings
      const given = bearerOf(request.headers)
      const isProven = METRICS_TOKEN !== undefined && given !== undefined && isSameSecret(given, METRICS_TOKEN)
      if (!isProven) throw new Unproven({ code: 'access.forbidden' })
    },
  }
}

/** For monitoring: plain text, no sign-in, no personal data. */
export const addHealth = (app: FastifyInstance, { readiness, metrics, settings }: Parts): void => {
  const schema = { tags: ['health'] }
  metrics.observe('parley_ready', 'Whether this node should be given requests: 1 or 0', () =>
    readiness.reason() === undefined ? 1 : 0,
  )
  app.get('/health/live', { config: OPEN, schema }, async (_request, reply) => reply.type('text/plain').send('live\n'))
  app.get('/health/ready', { config: OPEN, schema }, async (_request, reply) => {
    const reason = readiness.reason()
    if (reason === undefined) return reply.type('text/plain').send('ready\n')
    return reply.code(503).header('retry-after', '5').type('text/plain').send(`${reason}\n`)
  })
  app.get('/metrics', { config: { open: true, door: metricsDoor(settings) }, schema }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}

/** Settings that the console needs before sign-in; the page itself has no inline script. */
export const addInstance = (app: FastifyInstance, { settings, publicUrl }: Parts): void => {
  handle(app, 'GET /instance', OPEN, async () => ({
    name: settings.INSTANCE_NAME,
    theme: settings.THEME,
    version: VERSION,
    botrouterurl: settings.BOT_ROUTER_URL ?? publicUrl(),
    mail: settings.MAIL_URL !== undefined,
  }))
}
