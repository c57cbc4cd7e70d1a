import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccountCheck, checkAccount } from '#runtime/campaign/meta/check-account.ts'
import {
  type Graph,
  type GraphRequest,
  type OpenAccount,
  openAccount,
  openGraph,
} from '#runtime/channel/shared/graph.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'
import { handle, type IdRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { callerOf, sessionOf } from './command.ts'

/** Of one person. */
const MAX_CALLS_PER_MINUTE = 30

const told = ({ part, result }: AccountCheck, language: Language) => {
  if (result.ok) return { part, ok: true, detail: result.value }
  const { code, detail } = problemOf(result.refusal, language)
  return { part, ok: false, detail, code }
}

interface Setup {
  readonly action: 'subscribe' | 'requestcode' | 'verifycode' | 'registernumber'
  /** Request to Meta. */
  request(account: OpenAccount, input: JsonObject): GraphRequest
  /** Fields set once Meta accepts. */
  readonly sets?: JsonObject
}

const ofNumber = ({ fields }: OpenAccount, call: string): string => `/${fieldText(fields, 'phone_number_id')}/${call}`

/** Steps that set an account and its number up at Meta. Nothing of what people type is kept. */
const SETUP: readonly Setup[] = [
  {
    action: 'subscribe',
    request: ({ fields }) => ({ method: 'POST', path: `/${fieldText(fields, 'waba_id')}/subscribed_apps`, body: {} }),
    sets: { webhook_subscribed: true },
  },
  {
    action: 'requestcode',
    request: (account, input) => ({ method: 'POST', path: ofNumber(account, 'request_code'), body: input }),
  },
  {
    action: 'verifycode',
    request: (account, { code }) => ({
      method: 'POST',
      path: ofNumber(account, 'verify_code'),
      body: { code: String(code).replace('-', '') },
    }),
    sets: { number_verified: true },
  },
  {
    action: 'registernumber',
    request: (account, { pin = '' }) => ({
      method: 'POST',
      path: ofNumber(account, 'register'),
      body: { messaging_product: 'whatsapp', pin },
    }),
  },
]

/** Keeps what Meta said of an account. */
const keep = async (parts: Parts, request: FastifyRequest, id: string, fields: JsonObject): Promise<void> => {
  const outcome = await parts.commands.execute({
    entity: 'metaaccount',
    action: 'record',
    id,
    input: { fields },
    caller: callerOf(request),
    correlation: randomUUID(),
  })
  if (outcome.ok && outcome.position !== undefined) await parts.read.reached(outcome.position)
}

/** The account of a request whose caller may see it and does not ask too often; undefined once it is refused. */
const admission = (parts: Parts) => {
  const limit = parts.rates.add('meta account', MAX_CALLS_PER_MINUTE)
  return async (request: IdRequest, reply: FastifyReply): Promise<OpenAccount | undefined> => {
    const { access, scope } = sessionOf(request)
    const { id } = request.params
    const isVisible = (await parts.read.detail(scope, 'metaaccount', id)) !== undefined
    const account = isVisible ? await openAccount(parts.commands, id) : undefined
    if (account === undefined) {
      refuse(reply, { code: 'entity.notfound' })
      return undefined
    }
    const retryAfter = limit.wait(access.user)
    if (retryAfter !== undefined) {
      refuse(reply, { code: 'request.toomany', params: { retryAfter } })
      return undefined
    }
    limit.count(access.user)
    return account
  }
}

/** Calls to Meta for an account: its test, and its setup steps. */
export const addMetaAccount = (app: FastifyInstance, parts: Parts): void => {
  const graph = openGraph(parts.call, parts.settings.GRAPH_URL)
  const admit = admission(parts)
  addTest(app, parts, graph, admit)
  for (const { action, request: ask, sets } of SETUP)
    handle(app, `POST /metaaccount/{id}/${action}`, { permission: `${action}metaaccount` }, async (request, reply) => {
      const account = await admit(request, reply)
      if (account === undefined) return reply
      if (account.credentials.token === '') return refuse(reply, { code: 'meta.credentials' })
      if (action !== 'subscribe' && fieldText(account.fields, 'phone_number_id') === '')
        return refuse(reply, {
          code: 'validation.failed',
          errors: [{ path: 'phone_number_id', code: 'required' }],
        })
      const answer = await graph.ask(account.credentials, ask(account, request.body))
      if (!answer.ok) return refuse(reply, answer.refusal)
      if (sets !== undefined) await keep(parts, request, account.id, sets)
      return { success: true as const }
    })
}

function addTest(app: FastifyInstance, parts: Parts, graph: Graph, admit: ReturnType<typeof admission>): void {
  handle(app, 'POST /metaaccount/{id}/test', { permission: 'testmetaaccount' }, async (request, reply) => {
    const account = await admit(request, reply)
    if (account === undefined) return reply
    const started = performance.now()
    const { checks, fields } = await checkAccount(graph, account)
    const time = Math.round(performance.now() - started)
    if (Object.keys(fields).length > 0)
      await keep(parts, request, account.id, { ...fields, checked_at: new Date().toISOString() })
    return {
      ok: checks.every(({ result }) => result.ok),
      time,
      checks: checks.map(check => told(check, request.language)),
    }
  })
}
