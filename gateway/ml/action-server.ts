import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type ActionCall,
  actionAnswer,
  isDirectAnswer,
  readActionCall,
  unhandledAnswer,
} from '#domain/ml/action-call.ts'
import type { RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { isSameSecret } from '#runtime/channel/shared/signature.ts'
import { callerOf, openSandbox } from '#runtime/isolation/pooled-work.ts'
import { bodyText } from '#runtime/outbound/rest-request.ts'
import { isStarted } from '#runtime/release/releases.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { fieldText, isObject, parseJson } from '#schemas/json.ts'
import { mlSystem } from '#schemas/ml-system.ts'
import { RequestRefused } from '../http/failure.ts'
import { type PublicRoute, requestValue, Unproven } from '../http/public-route-checks.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'

/** Bytes of a call, unpacked: a tracker may be long. */
const MAX_BODY = 1_000_000
/** Wrong tokens of one address within a minute. */
const MAX_FAILURES = 60
/** Google waits no longer. */
const FORWARD_TIMEOUT_MS = 8_000
/** Marks a call that was passed on, so that it never goes round. */
const FORWARDED = 'x-parley-forwarded'
/** Tells Watson that its webhook has answered, so that it need not. */
const DIRECT_ANSWER = 'x-watson-assistant-webhook-return'
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/u
const UNPACK = { gzip: promisify(gunzip), deflate: promisify(inflate) } as const

/** Rasa may compress its calls. Refuses invalid bodies, and bodies too large when unpacked. */
const unpacked = async ({ headers }: FastifyRequest, payload: AsyncIterable<Buffer>) => {
  const encoding = headers['content-encoding']
  if (encoding !== 'gzip' && encoding !== 'deflate') return undefined
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of payload) {
    bytes += chunk.length
    if (bytes > MAX_BODY) throw new RequestRefused({ code: 'request.toolarge' })
    chunks.push(chunk)
  }
  const body = await UNPACK[encoding](Buffer.concat(chunks), { maxOutputLength: MAX_BODY }).catch(error => {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new RequestRefused({ code: isLarge ? 'request.toolarge' : 'request.unreadable' })
  })
  // The parser takes what is not packed; Fastify compares the length with Content-Length.
  delete headers['content-encoding']
  return Object.assign(Readable.from([body]), { receivedEncodedLength: bytes })
}

interface Channel {
  readonly fields: JsonObject
  readonly bot: RowOf<'bot'>
}

/** Whether it is a token that Watson signed with the secret of its webhook (HS256). */
const isSignedBy = async (secret: string, token: string): Promise<boolean> => {
  if (secret === '' || !JWT.test(token)) return false
  const { jwtVerify } = await import('jose')
  return jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] }).then(
    () => true,
    () => false,
  )
}

/**
 * Proofs sent by Rasa (`token`, header or basic_auth), Dialogflow (header or basic auth) and Watson (its own token, or
 * one configured in its webhook).
 */
const isProven = async ({ headers, query }: FastifyRequest, fields: JsonObject): Promise<boolean> => {
  const { authorization = '' } = headers
  const [scheme = '', given = ''] = authorization.split(' ')
  const expected = fieldText(fields, 'channel_verify_token')
  const proof = mlSystem(String(fields.type))?.callProof
  const own = proof !== undefined ? fieldText(fields, 'channel_password') : ''
  const { token } = query as { readonly token?: unknown }
  if (/^basic$/iu.test(scheme)) {
    const [, password = ''] = Buffer.from(given, 'base64').toString('utf8').split(/:(.*)/su)
    return isSameSecret(password, own) || isSameSecret(password, expected)
  }
  if (isSameSecret(typeof token === 'string' ? token : given, expected)) return true
  return proof === 'signature' && isSignedBy(own, authorization.replace(/^bearer /iu, ''))
}

/** Published handlers of a bot by name. */
const handlersOf = async ({ read }: Parts, bot: RowOf<'bot'>): Promise<ReadonlyMap<string, string>> => {
  const tasks = await allRows(read, SYSTEM_SCOPE, 'dialogtask', { bot: bot.id })
  const rows = await Promise.all(tasks.map(({ id }) => allRows(read, SYSTEM_SCOPE, 'handler', { dialogtask: id })))
  return new Map(rows.flat().map(({ id, name }) => [name, id]))
}

/** The script of a handler as the bot's newest release has it. */
const scriptOf = async (parts: Parts, bot: RowOf<'bot'>, name: string) => {
  const id = (await handlersOf(parts, bot)).get(name)
  const release = id === undefined ? undefined : await parts.releases.newest(bot.id)
  if (id === undefined || release === undefined) return undefined
  return (await parts.releases.compiled(bot.id, release.number)).handlers.get(id)
}

/** Passes an action that the bot has no handler for on to the channel's own action server. */
const forward = async ({ call }: Parts, fields: JsonObject, payload: JsonObject) => {
  const url = fieldText(fields, 'custom_action_endpoint')
  if (url === '') return undefined
  const headers = [['content-type', 'application/json'] as const, [FORWARDED, '1'] as const]
  const request = { method: 'POST', url, headers, body: JSON.stringify(payload) }
  const answer = await call({ ...request, timeout: FORWARD_TIMEOUT_MS, most: MAX_BODY })
  if (!answer.ok || answer.value.truncated) return undefined
  const body = parseJson(bodyText(answer.value) ?? '')
  return body === undefined ? undefined : { status: answer.value.status, body }
}

/** Lets in who proves to be the system of an enabled channel, whose bot runs and acts as action server. */
const createAdmission = ({ read, commands }: Parts) => {
  const found = requestValue<Channel>()
  // Only callers with the channel's token learn whether it exists.
  const unproven = () => new Unproven({ code: 'chat.token' })

  const channelOf = async (id: string): Promise<Channel | undefined> => {
    const row = await read.detail(SYSTEM_SCOPE, 'mlchannel', id)
    const bot = row && (await read.detail(SYSTEM_SCOPE, 'bot', row.bot))
    if (row?.enable !== true || !isStarted(bot) || !bot.act_as_ml_action_server) return undefined
    const fields = await commands.openFields('mlchannel', id)
    return fields === undefined ? undefined : { fields, bot }
  }
  const door: PublicRoute = {
    failures: { name: 'action server', most: MAX_FAILURES, isPerTarget: true },
    isShared: true,
    async target(request) {
      const { channel: id } = request.params as { readonly channel: string }
      const channel = await channelOf(id)
      if (channel === undefined) throw unproven()
      found.set(request, channel)
      return { channel: id, bot: channel.bot.id }
    },
    async proof(request) {
      if (!(await isProven(request, found.of(request).fields))) throw unproven()
    },
  }
  return { door, channelOf: found.of }
}

const rejected = ({ name }: ActionCall, why: string) => ({ error: `Custom action '${name}' ${why}`, action_name: name })

/** Status and body of the answer to an action. */
const createActor =
  (parts: Parts) =>
  async ({ fields, bot }: Channel, call: ActionCall, wasForwarded: boolean) => {
    const script = await scriptOf(parts, bot, call.name)
    if (script === undefined) {
      const passed = wasForwarded ? undefined : await forward(parts, fields, call.payload)
      if (passed !== undefined) return passed
      const unhandled = unhandledAnswer(call)
      return unhandled ? { status: 200, body: unhandled } : { status: 404, body: rejected(call, 'is not known') }
    }
    const sandbox = openSandbox(parts.work, callerOf(bot, bot.id))
    const run = await sandbox.run({ source: script.source, parameters: [{ ...call }] }, script.slow)
    if (run.error !== undefined || run.ended !== undefined)
      return { status: 400, body: rejected(call, 'rejected execution') }
    return { status: 200, body: actionAnswer(call, run.value ?? null) }
  }

/**
 * Endpoints for outside systems: Rasa's action server, Dialogflow's fulfilment, Watson's webhooks. A bot with
 * `act_as_ml_action_server` runs the published handler of the action's or event's name.
 */
export const addActionServer = (app: FastifyInstance, parts: Parts): void => {
  const { door, channelOf } = createAdmission(parts)
  const config = { door }
  const act = createActor(parts)

  app.post('/ml/:channel/webhook', {
    bodyLimit: MAX_BODY,
    config,
    preParsing: async (request, _reply, payload) => (await unpacked(request, payload)) ?? payload,
    handler: async (request, reply) => {
      const channel = channelOf(request)
      const payload = request.body as Json | undefined
      const call = isObject(payload) ? readActionCall(fieldText(channel.fields, 'type'), payload) : undefined
      if (call === undefined) return refuse(reply, { code: 'request.unreadable' })
      const { status, body } = await act(channel, call, request.headers[FORWARDED] !== undefined)
      if (status === 200 && isDirectAnswer(call, body)) reply.header(DIRECT_ANSWER, 'true')
      return reply.code(status).send(body)
    },
  })
  app.get('/ml/:channel/health', { config }, async () => ({ status: 'ok' }))
  app.get('/ml/:channel/actions', { config }, async request => {
    const names = await handlersOf(parts, channelOf(request).bot)
    return [...names.keys()].toSorted().map(name => ({ name }))
  })
}
