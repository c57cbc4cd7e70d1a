import { createHmac } from 'node:crypto'
import { graphErrorBody, listBody, sentBody, subscribedAppsBody } from '#runtime/channel/whatsapp-cloud/graph-wire.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type MlServer, type MlServerAnswer, type MlServerCall, startMlServer } from '../ml/ml-server.ts'

export const GRAPH_TOKEN = 'EAAG-system-user-t0ken'
export const APP_SECRET = 'app-s3cret-0123456789'
export const APP_ID = '634974688087057'
export const WABA_ID = '102290129340398'
export const PHONE_ID = '106540352242922'
/** Of two-step verification, and the code that proves the number. */
export const PIN = '123456'
export const CODE = '654321'

/** A template as Meta has it. */
export interface GraphTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  category: string
  status: string
  components: unknown
  rejected_reason?: string
}

export interface SendReply {
  readonly http: number
  readonly body?: unknown
}

export interface GraphServer extends MlServer {
  /** Bodies of messages that were accepted, in their order. */
  readonly accepted: Record<string, unknown>[]
  /** Answers to the next sends, in turn; `null` is an acceptance. */
  readonly replies: (SendReply | null)[]
  readonly templates: GraphTemplate[]
  /** Forms of files that were uploaded for messages. */
  readonly media: string[]
  /** Uploaded files by handle. */
  readonly uploads: Map<string, string>
  scopes: string[]
  isSubscribed: boolean
  isVerified: boolean
  /** Statuses of errors that the next creations answer although they succeed. */
  readonly lateFaults: number[]
  /** Status of the next templates that are created. */
  nextStatus: string
}

const failed = (status: number, code: number, message: string, subcode?: number): MlServerAnswer => ({
  status,
  body: graphErrorBody(code, message, subcode),
})

const NOT_THERE = failed(400, 100, 'Unsupported get request. Object does not exist', 33)

const isProven = ({ query }: MlServerCall): boolean =>
  query.get('appsecret_proof') === createHmac('sha256', APP_SECRET).update(GRAPH_TOKEN).digest('hex')

const account = { id: WABA_ID, name: 'Casa Lume', account_review_status: 'APPROVED', timezone_id: '25' }

const number = (state: GraphServer) => ({
  id: PHONE_ID,
  display_phone_number: '+55 11 98765-4321',
  verified_name: 'Casa Lume',
  code_verification_status: state.isVerified ? 'VERIFIED' : 'NOT_VERIFIED',
  name_status: 'APPROVED',
  quality_rating: 'GREEN',
  account_mode: 'LIVE',
  throughput: { level: 'STANDARD' },
  messaging_limit_tier: 'TIER_2K',
})

const setUp = (state: GraphServer, step: string, given: Record<string, unknown>): MlServerAnswer => {
  if (step === 'request_code')
    return given.code_method === 'SMS' ? { body: { success: true } } : failed(400, 136024, 'Request code error')
  if (step === 'verify_code') {
    if (given.code !== CODE) return failed(400, 136025, 'Verify code error')
    state.isVerified = true
    return { body: { success: true, id: PHONE_ID } }
  }
  if (!state.isVerified) return failed(400, 133006, 'Phone number re-verification needed')
  return given.pin === PIN ? { body: { success: true } } : failed(400, 133005, 'Two step verification PIN Mismatch')
}

const createTemplate = (state: GraphServer, given: Record<string, unknown>): MlServerAnswer => {
  const { name, language, category, components } = given as Pick<
    GraphTemplate,
    'name' | 'language' | 'category' | 'components'
  >
  if (state.templates.some(each => each.name === name && each.language === language))
    return failed(400, 100, 'Content in this language already exists', 2388024)
  const id = String(9_000_000_000_000_000n + BigInt(state.templates.length + 1))
  state.templates.push({ id, name, language, category, status: state.nextStatus, components })
  const late = state.lateFaults.shift()
  if (late !== undefined) return failed(late, 131000, 'Something went wrong')
  return { body: { id, status: state.nextStatus, category } }
}

const listTemplates = (state: GraphServer, query: URLSearchParams): MlServerAnswer => {
  const named = query.get('name')
  const found = state.templates.filter(({ name }) => named === null || name.includes(named))
  return { body: listBody(found as unknown as JsonObject[], query) }
}

const ofTemplates = (state: GraphServer, { method, query, body }: MlServerCall): MlServerAnswer => {
  if (method === 'POST') return createTemplate(state, JSON.parse(body) as Record<string, unknown>)
  if (method === 'GET') return listTemplates(state, query)
  const [name, id] = [query.get('name'), query.get('hsm_id')]
  const kept = state.templates.filter(each => each.name !== name || (id !== null && each.id !== id))
  if (kept.length === state.templates.length) return failed(400, 100, 'Template not found', 2593002)
  state.templates.splice(0, state.templates.length, ...kept)
  return { body: { success: true } }
}

const ofUploads = (state: GraphServer, { method, path, query, headers, body }: MlServerCall): MlServerAnswer => {
  if (path.endsWith('/uploads')) {
    const session = `upload:${query.get('file_name')}?sig=${query.get('file_length')}`
    return { body: { id: session } }
  }
  if (headers.authorization !== `OAuth ${GRAPH_TOKEN}`) return failed(400, 190, 'Invalid OAuth access token')
  if (method === 'GET') return { body: { id: path.slice(1), file_offset: 0 } }
  const handle = `4::${Buffer.from(path).toString('base64url').slice(0, 40)}:${state.uploads.size}`
  state.uploads.set(handle, body)
  return { body: { h: handle } }
}

const edited = (state: GraphServer, id: string, given: Record<string, unknown>): MlServerAnswer => {
  const template = state.templates.find(each => each.id === id)
  if (template === undefined) return NOT_THERE
  template.components = given.components
  template.status = 'PENDING'
  return { body: { success: true } }
}

let messages = 0

/** The id of a message at Meta holds the number of its recipient. */
const wamidOf = (to: string): string => {
  messages += 1
  return `wamid.${Buffer.from(`HBgL${to}${messages}`).toString('base64')}`
}

const send = (state: GraphServer, given: Record<string, unknown>): MlServerAnswer => {
  const reply = state.replies.shift() ?? null
  if (reply !== null) return { status: reply.http, body: reply.body ?? null }
  state.accepted.push(given)
  const to = String(given.to).replace('+', '')
  return { body: sentBody(String(given.to), to, wamidOf(to)) }
}

const answerOf =
  (state: () => GraphServer) =>
  (call: MlServerCall): MlServerAnswer => {
    const { method, headers, query } = call
    const path = call.path.replace(/^\/v\d+\.\d+/u, '')
    const isUpload = path.includes('upload')
    if (path === '/debug_token') {
      if (headers.authorization !== `Bearer ${APP_ID}|${APP_SECRET}`) return failed(401, 190, 'Invalid app token')
      const isValid = query.get('input_token') === GRAPH_TOKEN
      return { body: { data: { app_id: APP_ID, is_valid: isValid, scopes: state().scopes, expires_at: 0 } } }
    }
    if (!isUpload || path.endsWith('/uploads')) {
      if (headers.authorization !== `Bearer ${GRAPH_TOKEN}`) return failed(401, 190, 'Invalid OAuth access token', 463)
      if (!isProven(call)) return failed(400, 100, 'Invalid appsecret_proof provided in the API argument')
    }
    if (isUpload) return ofUploads(state(), { ...call, path })
    if (path === `/${WABA_ID}`) return { body: account }
    if (path === `/${PHONE_ID}`) return { body: number(state()) }
    if (path === `/${WABA_ID}/message_templates`) return ofTemplates(state(), call)
    if (path === `/${WABA_ID}/subscribed_apps`) {
      if (method === 'POST') state().isSubscribed = true
      const apps = state().isSubscribed ? [{ id: APP_ID, name: 'Lume' }] : []
      return { body: method === 'POST' ? { success: true } : subscribedAppsBody(apps) }
    }
    if (path === `/${PHONE_ID}/media`) return { body: { id: `media-${state().media.push(call.body)}` } }
    const given = method === 'POST' ? (JSON.parse(call.body) as Record<string, unknown>) : {}
    const [, id = '', step = ''] = path.split('/')
    if (id === PHONE_ID && step === 'messages') return send(state(), given)
    if (id === PHONE_ID && method === 'POST') return setUp(state(), step, given)
    return method === 'POST' ? edited(state(), id, given) : NOT_THERE
  }

/** The Graph API with one business account and one number. */
export const startGraphServer = async (): Promise<GraphServer> => {
  const own = {
    templates: [] as GraphTemplate[],
    accepted: [] as Record<string, unknown>[],
    replies: [] as (SendReply | null)[],
    media: [] as string[],
    uploads: new Map<string, string>(),
    lateFaults: [] as number[],
    scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
    isSubscribed: false,
    isVerified: false,
    nextStatus: 'PENDING',
  }
  const held: { server?: GraphServer } = {}
  const server = await startMlServer(
    answerOf(() => held.server ?? (own as GraphServer)),
    status => graphErrorBody(status === 500 ? 131000 : status, 'An unknown error has occurred.'),
  )
  held.server = Object.defineProperties(own, Object.getOwnPropertyDescriptors(server)) as unknown as GraphServer
  return held.server
}
