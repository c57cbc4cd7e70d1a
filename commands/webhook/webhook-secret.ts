import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { eventOf } from '#domain/entity.ts'
import { SEND_PERSONAL } from '#domain/people/permission.ts'
import { ROTATION_MS, type WebhookFacts } from '#domain/webhook.ts'
import { webhook } from '#schemas/entities/webhook.ts'
import { accepted } from '#schemas/refusal.ts'
import { GENERIC } from '../generic/entity-commands.ts'
import { type Keys, openField, sealChanges } from '../keys/secret.ts'
import { type Attempt, checkConfirmation, type LoadFacts, loadLiveTarget } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { idempotent } from '../pipeline/idempotency-key.ts'

const SECRET_PREFIX = 'whsec_'

/** Made from the seed of its command, so that a repeated attempt has the same. */
const secretOf = async (keys: Keys, seed: string): Promise<string> =>
  `${SECRET_PREFIX}${Buffer.from(await keys.index.hmac(`webhook secret ${seed}`), 'hex').toString('base64')}`

/** Headers of Standard Webhooks 1.0: one signature for each secret, of the bytes that are sent. */
export const signatureHeaders = (
  secrets: readonly string[],
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
): readonly (readonly [string, string])[] => {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return [
    ['content-type', 'application/json'],
    ['webhook-id', id],
    ['webhook-timestamp', String(seconds)],
    ['webhook-signature', signatures.join(' ')],
  ]
}

/** Whether the address may be called: plain HTTP and private networks only where the installation allows them. */
const isAllowed = async (isOpenHost: (host: string) => Promise<boolean>, address: unknown): Promise<boolean> => {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (url === null) return true
  const mayBePrivate = await isOpenHost('127.0.0.1')
  return (url.protocol === 'https:' || mayBePrivate) && (await isOpenHost(url.hostname))
}

export const loadWebhookFacts: LoadFacts<WebhookFacts> = async (
  { keys, isOpenHost },
  { author, command },
  _state,
  fields,
) => ({
  secret: await secretOf(keys, author.seed),
  isAllowed: await isAllowed(isOpenHost, fields.url),
  maySendPersonal: command.caller.permits(SEND_PERSONAL),
})

/** Answers the secret, which is shown once. */
export const createWebhook: Attempt = async (context, run) => {
  const made = await GENERIC.create.attempt(context, run)
  if (!made.ok) return made
  const secret = await secretOf(context.keys, run.author.seed)
  return accepted({ ...made.value, once: { secret } })
}

/** A new secret, beside which the old one signs for a day. */
export const rotateSecret: Attempt = idempotent(async (context, run) => {
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  const certain = checkConfirmation(run.command.input, false)
  if (!certain.ok) return certain
  const { keys } = context
  const { id, level } = state
  const secret = await secretOf(keys, run.author.seed)
  const known = String((await openField(keys, webhook, id, 'secret', state.fields.secret ?? null)) ?? '')
  const [old = ''] = known.split(' ')
  const until = new Date(Date.parse(run.author.time) + ROTATION_MS).toISOString()
  const changes = { secret: old === '' ? secret : `${secret} ${old}`, secret_until: until }
  const fields = await sealChanges(keys, webhook, id, state.fields, changes)
  const events = [eventOf(webhook, 'Changed', { fields })]
  const committed = await commit(context, run, { entity: webhook, id, level, loaded }, events)
  return committed.ok ? accepted({ id, ...committed.value, once: { secret } }) : committed
})
