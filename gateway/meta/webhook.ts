import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isObject } from '#domain/flow/document/json.ts'
import { readWebhook, type WebhookChange } from '#domain/meta/webhook.ts'
import { allRows } from '#projections/all-rows.ts'
import type { Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { hearOfAccount } from '#runtime/campaign/meta/hear-of-account.ts'
import type { SentCampaigns } from '#runtime/campaign/run/compose-campaigns.ts'
import { hearOfTemplate } from '#runtime/campaign/template/hear-of-template.ts'
import { fieldText } from '#runtime/ml/read-answer.ts'
import { isSameSecret } from '#runtime/same-secret.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { RequestRefused } from '../http/request-refused.ts'
import { type OpenRoute, requestValue, Unproven } from '../open/open-door.ts'
import type { Parts } from '../port.ts'

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

const signatureOf = (body: Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const parsed = (body: Buffer): Json => {
  try {
    return JSON.parse(body.toString('utf8')) as Json
  } catch {
    throw new RequestRefused({ code: 'request.unreadable' })
  }
}

/** Changes that tell what became of messages, and what people want. */
const OF_MESSAGES: ReadonlySet<string> = new Set(['messages', 'user_preferences'])

/** The account of the number that a change is about, else the first one of the business account. */
const ofNumber = (accounts: readonly Row[], { value: { metadata } }: WebhookChange): Row | undefined =>
  accounts.find(({ phone_number_id: number }) => isObject(metadata) && number === metadata.phone_number_id) ??
  accounts[0]

/** What became of messages comes in great numbers: it is kept together. */
const hearOfMessages = async (
  campaigns: SentCampaigns | undefined,
  changes: readonly { readonly accounts: readonly Row[]; readonly change: WebhookChange }[],
): Promise<void> => {
  const sent = changes.length === 0 ? undefined : await campaigns?.opened()
  await Promise.all(
    changes.map(async ({ accounts, change }) => {
      const account = ofNumber(accounts, change)
      if (account !== undefined) await sent?.hear(account.id, change.value)
    }),
  )
}

/** Takes all changes of a call. */
const hear = async (
  parts: Parts,
  campaigns: SentCampaigns | undefined,
  app: string,
  changes: readonly WebhookChange[],
): Promise<void> => {
  const known = new Map<string, readonly Row[]>()
  const ofMessages: { readonly accounts: readonly Row[]; readonly change: WebhookChange }[] = []
  for (const change of changes) {
    const accounts = known.get(change.waba) ?? (await accountsOf(parts, app, change))
    known.set(change.waba, accounts)
    const isOfMessages = OF_MESSAGES.has(change.field)
    if (isOfMessages) ofMessages.push({ accounts, change })
    for (const account of accounts) {
      if (isOfMessages && account.webhook_received === true) continue
      await hearOfAccount(parts, account.id, change)
      if (!isOfMessages) await hearOfTemplate(parts, account.id, change)
    }
    if (isOfMessages)
      known.set(
        change.waba,
        accounts.map(account => ({ ...account, webhook_received: true })),
      )
  }
  await hearOfMessages(campaigns, ofMessages)
}

/** Accounts of an app that a change is about. */
const accountsOf = async ({ read }: Parts, app: string, { waba }: WebhookChange) =>
  allRows(read, SYSTEM_SCOPE, 'metaaccount', { metaapp: app, waba_id: waba })

/**
 * What Meta calls: `/meta/{app}/webhook`. GET proves the address, POST tells changes, signed with the app's secret over
 * its bytes as they are. Whether there is such an app is told to nobody else. What can not be kept is answered with an
 * error, so that Meta comes again.
 */
export const addMetaWebhook = (app: FastifyInstance, parts: Parts, campaigns?: SentCampaigns): void => {
  const apps = requestValue<JsonObject>()
  const unproven = () => new Unproven({ code: 'entity.notfound' })
  const failures = { name: 'meta webhook', most: MAX_FAILURES, isPerTarget: true }
  const target: OpenRoute['target'] = async request => {
    const { app: id } = request.params as AppParam
    const fields = await parts.commands.openFields('metaapp', id)
    if (fields === undefined) throw unproven()
    apps.set(request, fields)
    return { channel: id }
  }
  const greeted: OpenRoute = {
    failures,
    target,
    async proof(request) {
      const isProven = isSameSecret(queryText(request, 'hub.verify_token'), fieldText(apps.of(request), 'verify_token'))
      if (queryText(request, 'hub.mode') !== 'subscribe' || !isProven) throw unproven()
    },
  }
  const called: OpenRoute = {
    failures,
    target,
    isShared: true,
    async bodyProof(request, body) {
      const secret = fieldText(apps.of(request), 'app_client_secret')
      const given = request.headers['x-hub-signature-256']
      const isProven = secret !== '' && typeof given === 'string' && isSameSecret(given, signatureOf(body, secret))
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
        const content = parsed(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
        if (!isObject(content)) throw new RequestRefused({ code: 'request.unreadable' })
        await hear(parts, campaigns, request.params.app, readWebhook(content))
        return reply.code(200).send()
      },
    )
  })
}
