import type { FastifyInstance, FastifyRequest } from 'fastify'
import { appEndpoint, type Intake } from '#runtime/channel/exchange/intake.ts'
import { hubSignature, isSameSecret } from '#runtime/channel/shared/signature.ts'
import { cloudEvents } from '#runtime/channel/whatsapp-cloud/cloud-events.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText, isObject, parseJson } from '#schemas/json.ts'
import { RequestRefused } from '../http/failure.ts'
import { type PublicRoute, requestValue, Unproven } from '../http/public-route-checks.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'

/** Bytes of one call: Meta packs up to a thousand changes into it. */
const MAX_BODY = 3_145_728
/** Calls of one address within a minute that prove nothing. */
const MAX_FAILURES = 60

interface AppParam {
  readonly app: string
}

const queryText = ({ query }: FastifyRequest, name: string): string => {
  const value = (query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}

/**
 * Webhook of Meta: `/meta/{app}/webhook`. GET verifies the address, POST delivers changes, signed with the app's secret
 * over the raw bytes. No other caller learns whether the app exists. Changes that cannot be stored are answered with an
 * error, so that Meta retries.
 */
export const addMetaWebhook = (app: FastifyInstance, parts: Pick<Parts, 'commands'>, intake: Intake): void => {
  const apps = requestValue<JsonObject>()
  const unproven = () => new Unproven({ code: 'entity.notfound' })
  const failures = { name: 'meta webhook', most: MAX_FAILURES, isPerTarget: true }
  const target: PublicRoute['target'] = async request => {
    const { app: id } = request.params as AppParam
    const fields = await parts.commands.openFields('metaapp', id)
    if (fields === undefined) throw unproven()
    apps.set(request, fields)
    return { channel: id }
  }
  const greeted: PublicRoute = {
    failures,
    target,
    async proof(request) {
      const isProven = isSameSecret(queryText(request, 'hub.verify_token'), fieldText(apps.of(request), 'verify_token'))
      if (queryText(request, 'hub.mode') !== 'subscribe' || !isProven) throw unproven()
    },
  }
  const called: PublicRoute = {
    failures,
    target,
    isShared: true,
    async bodyProof(request, body) {
      const secret = fieldText(apps.of(request), 'app_client_secret')
      const given = request.headers['x-hub-signature-256']
      const isProven = secret !== '' && typeof given === 'string' && isSameSecret(given, hubSignature(body, secret))
      if (!isProven) throw unproven()
    },
  }
  const address = '/meta/:app/webhook'
  app.get<{ Params: AppParam }>(address, { config: { door: greeted } }, async (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(queryText(request, 'hub.challenge')),
  )
  void app.register(async own => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    own.post<{ Params: AppParam }>(
      address,
      { bodyLimit: MAX_BODY, config: { door: called } },
      async (request, reply) => {
        const content = Buffer.isBuffer(request.body) ? parseJson(request.body.toString('utf8')) : undefined
        if (!isObject(content)) throw new RequestRefused({ code: 'request.unreadable' })
        const secret = fieldText(apps.of(request), 'app_client_secret')
        const retryAfter = await intake.take(appEndpoint(request.params.app, secret), cloudEvents(content))
        if (retryAfter > 0) return refuse(reply, { code: 'request.toomany', params: { retryAfter } })
        return reply.code(200).send()
      },
    )
  })
}
