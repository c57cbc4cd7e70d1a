import { randomUUID } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import {
  NO_PERSONA_REASON,
  personaPhone,
  personaWaId,
  qualityAfter,
  reactionOf,
  type SimulatedClock,
  simulatedNow,
} from '#domain/campaign/simulated-number.ts'
import { fromMeta } from '#domain/template/components.ts'
import { lintTemplate } from '#domain/template/lint.ts'
import { isSendable } from '#domain/template/template.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { fieldText, objectOf, objectsOf, parseJson, scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { OutboundAnswer, OutboundRequest } from '../../outbound/call.ts'
import { graphErrorBody, listBody, sentBody, subscribedAppsBody } from '../whatsapp-cloud/graph-wire.ts'
import { shownMessage } from './phone-message.ts'
import {
  blocksOf,
  isWindowOpen,
  type PendingStep,
  personaIn,
  personaOf,
  recipientOf,
  type SimulatedFact,
  type SimulatedState,
  type SimulatedTemplate,
} from './simulated-state.ts'

const WIDTH = 240
const HEIGHT = 160
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** Colour of a pixel: a sun over a hill. */
const pixel = (x: number, y: number): readonly [number, number, number] => {
  if (y > 110 - 30 * Math.sin((x / WIDTH) * Math.PI)) return [61, 122, 92]
  return (x - 170) ** 2 + (y - 45) ** 2 < 24 ** 2 ? [250, 204, 88] : [150 + Math.round(y / 2), 200, 235]
}

const draw = (): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // 8 bits a channel, RGB.
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT)
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) rows.set(pixel(x, y), y * (WIDTH * 3 + 1) + 1 + x * 3)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([SIGNATURE, ...parts])
}

let drawn: Buffer | undefined

/** PNG file that personas send. */
const samplePicture = (): Buffer => {
  drawn ??= draw()
  return drawn
}

/** An account with a simulated number, and the secrets that Parley made for it. */
export interface SimulatedAccount {
  readonly id: string
  readonly app: string
  readonly name: string
  readonly waba: string
  readonly phoneNumberId: string
  readonly appId: string
  readonly display: string
  readonly token: string
  readonly secret: string
}

/** Meta's code of a free message outside of the window, and of a recipient that a test number may not write to. */
const OUTSIDE_WINDOW = 131_047
const NOT_ALLOWED = 131_030
const NO_TEMPLATE = 132_001
const TEMPLATE_PAUSED = 132_015
const REVIEW_MS = 5000
/** The answer to a submission is stored before its review arrives, at any speed. */
const MIN_REVIEW_MS = 1000
const REJECTED = /_reject$/u

/** Answer of the double before it is a response. `cut`, `lost`: the connection fails. */
type GraphAnswer =
  | { readonly status: number; readonly body: Json; readonly bytes?: Uint8Array; readonly type?: string }
  | { readonly fails: 'cut' | 'lost' }

export interface GraphCall {
  readonly method: string
  /** Parts of the path after the version. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly body: JsonObject
  readonly authorization: string
}

interface GraphParts {
  readonly now: () => number
  readonly node: string
  state(account: string): Promise<SimulatedState>
  write(account: string, decide: (state: SimulatedState) => readonly SimulatedFact[]): Promise<SimulatedState>
  clock(state: SimulatedState): SimulatedClock
}

const failed = (status: number, code: number, message: string, subcode?: number): GraphAnswer => ({
  status,
  body: graphErrorBody(code, message, subcode),
})

const ok = (body: JsonObject): GraphAnswer => ({ status: 200, body })
const NOT_THERE = failed(400, 100, 'Unsupported get request. Object does not exist', 33)
const SUCCESS = ok({ success: true })

const numberBody = ({ phoneNumberId, display, name }: SimulatedAccount, state: SimulatedState): JsonObject => ({
  id: phoneNumberId,
  display_phone_number: display,
  verified_name: name,
  code_verification_status: 'VERIFIED',
  name_status: 'APPROVED',
  quality_rating: qualityAfter(blocksOf(state)),
  account_mode: 'SIMULATED',
  throughput: { level: 'STANDARD' },
  whatsapp_business_manager_messaging_limit: state.tier,
})

const remoteOf = ({ id, name, language, category, components, status, reason }: SimulatedTemplate): JsonObject => ({
  ...{ id, name, language, category, status, components: [...components] },
  ...(reason === '' ? {} : { rejected_reason: reason }),
})

/** Meta's calls for the templates and the messages of one simulated account. */
export class SimulatedGraph {
  readonly #parts: GraphParts

  constructor(parts: GraphParts) {
    this.#parts = parts
  }

  /** @throws only when the store is away */
  async answer(account: SimulatedAccount, call: GraphCall): Promise<GraphAnswer> {
    const { method, path } = call
    const [first = '', second = ''] = path
    if (first === 'debug_token') return this.#debugToken(account, call)
    if (first.startsWith('upload:')) return ok({ h: `4::${randomUUID()}` })
    if (!this.#isProven(account, call)) return failed(401, 190, 'Invalid OAuth access token')
    if (second === 'uploads') return ok({ id: `upload:${account.appId}-${randomUUID()}` })
    if (first === account.waba) return this.#account(account, second, call)
    if (first === account.phoneNumberId) {
      if (second === 'messages') return this.#send(account, call.body)
      if (second === 'media') return ok({ id: mediaId(account) })
      return method === 'POST' ? SUCCESS : ok(numberBody(account, await this.#parts.state(account.id)))
    }
    if (first === mediaId(account)) {
      if (second === 'file') return { status: 200, body: null, bytes: samplePicture(), type: 'image/png' }
      return ok({ id: first, mime_type: 'image/png', url: `${call.query.get('origin')}/${first}/file` })
    }
    return method === 'POST' ? this.#edit(account, first, call.body) : NOT_THERE
  }

  #isProven({ token }: SimulatedAccount, { authorization }: GraphCall): boolean {
    return token !== '' && [`Bearer ${token}`, `OAuth ${token}`].includes(authorization)
  }

  #debugToken({ token, appId }: SimulatedAccount, { query }: GraphCall): GraphAnswer {
    const isValid = query.get('input_token') === token
    const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
    return ok({ data: { app_id: appId, is_valid: isValid, scopes, expires_at: 0, data_access_expires_at: 0 } })
  }

  async #account(account: SimulatedAccount, part: string, call: GraphCall): Promise<GraphAnswer> {
    const { appId: id, name } = account
    if (part === 'subscribed_apps') return call.method === 'POST' ? SUCCESS : ok(subscribedAppsBody([{ id, name }]))
    if (part === 'message_templates') {
      if (call.method === 'POST') return this.#create(account, call.body)
      return call.method === 'DELETE' ? this.#remove(account, call.query) : this.#list(account, call.query)
    }
    return ok({ id: account.waba, name, account_review_status: 'APPROVED', timezone_id: '25' })
  }

  async #list({ id }: SimulatedAccount, query: URLSearchParams): Promise<GraphAnswer> {
    const { templates } = await this.#parts.state(id)
    const named = query.get('name')
    const found = [...templates.values()].filter(({ name }) => named === null || name.includes(named))
    return ok(listBody(found.map(remoteOf), query))
  }

  async #remove({ id }: SimulatedAccount, query: URLSearchParams): Promise<GraphAnswer> {
    const [name, own] = [query.get('name'), query.get('hsm_id')]
    let isFound = false
    await this.#parts.write(id, ({ templates }) => {
      const gone = [...templates.values()].filter(each => each.name === name && (own === null || each.id === own))
      isFound = gone.length > 0
      return gone.map(template => ({ do: 'untemplate', template: template.id }))
    })
    return isFound ? SUCCESS : failed(400, 100, 'Template not found', 2_593_002)
  }

  /** The end of the review. The lint decides, and a name that asks for a rejection. */
  #reviewStep(state: SimulatedState, template: SimulatedTemplate): PendingStep {
    const [fault] = lintTemplate(fromMeta({ ...template, components: [...template.components] })).filter(
      ({ level, rule }) => level !== 'warning' && rule !== 'handle',
    )
    const isRejected = fault !== undefined || REJECTED.test(template.name)
    const clock = this.#parts.clock(state)
    const wait = Math.max(REVIEW_MS, MIN_REVIEW_MS * clock.speed)
    return {
      id: `review-${randomUUID()}`,
      at: simulatedNow(clock, this.#parts.now()) + wait,
      node: this.#parts.node,
      kind: 'template',
      template: template.id,
      status: isRejected ? 'REJECTED' : 'APPROVED',
      reason: fault === undefined ? (isRejected ? 'TAG_CONTENT_MISMATCH' : '') : 'INVALID_FORMAT',
    }
  }

  async #create(account: SimulatedAccount, body: JsonObject): Promise<GraphAnswer> {
    const [name, language, category] = [
      fieldText(body, 'name'),
      fieldText(body, 'language'),
      fieldText(body, 'category'),
    ]
    let made: SimulatedTemplate | undefined
    await this.#parts.write(account.id, state => {
      made = undefined
      if ([...state.templates.values()].some(each => each.name === name && each.language === language)) return []
      const id = `${account.waba}${String(state.templateCount + 1).padStart(5, '0')}`
      const components = objectsOf(body.components)
      made = { id, name, language, category, components, status: 'PENDING', reason: '', blocks: 0 }
      return [
        { do: 'template', template: made },
        { do: 'planned', steps: [this.#reviewStep(state, made)] },
      ]
    })
    if (made === undefined) return failed(400, 100, 'Content in this language already exists', 2_388_024)
    return ok({ id: made.id, status: made.status, category })
  }

  async #edit(account: SimulatedAccount, id: string, body: JsonObject): Promise<GraphAnswer> {
    let isFound = false
    await this.#parts.write(account.id, state => {
      const known = state.templates.get(id)
      isFound = known !== undefined
      if (known === undefined) return []
      const components = objectsOf(body.components)
      const category = fieldText(body, 'category') || known.category
      const template = { ...known, components, category, status: 'PENDING', reason: '' }
      return [
        { do: 'template', template },
        { do: 'planned', steps: [this.#reviewStep(state, template)] },
      ]
    })
    return isFound ? SUCCESS : NOT_THERE
  }

  async #send(account: SimulatedAccount, body: JsonObject): Promise<GraphAnswer> {
    // A read message and "typing" name a message, no recipient.
    if (body.status === 'read') return SUCCESS
    const persona = personaOf(body)
    if (persona === undefined)
      return failed(400, NOT_ALLOWED, `Recipient phone number not in allowed list (${NO_PERSONA_REASON})`)
    let answer: GraphAnswer = NOT_THERE
    await this.#parts.write(account.id, state => {
      const taken = this.#take(account, state, persona, body)
      answer = taken.answer
      return taken.facts
    })
    return answer
  }

  #take(
    { id: seed }: SimulatedAccount,
    state: SimulatedState,
    persona: number,
    body: JsonObject,
  ): { readonly answer: GraphAnswer; readonly facts: readonly SimulatedFact[] } {
    const { now, node, clock } = this.#parts
    const before = personaIn(state, persona)
    const at = simulatedNow(clock(state), now())
    const isTemplate = body.type === 'template'
    const content = objectOf(body.template)
    const template = isTemplate ? templateFor(state, content) : undefined
    const refuse = (answer: GraphAnswer) => ({ answer, facts: [{ do: 'refused', persona }] as const })
    if (isTemplate && template === undefined)
      return refuse(failed(404, NO_TEMPLATE, 'Template name does not exist in the translation'))
    if (template !== undefined && !isSendable(template.status))
      return refuse(failed(400, TEMPLATE_PAUSED, `Template is ${template.status.toLowerCase()}`))
    if (!isTemplate && !isWindowOpen(before, at)) return refuse(failed(400, OUTSIDE_WINDOW, 'Re-engagement message'))
    const shown = shownMessage(body, template)
    const reaction = reactionOf({
      ...{ seed, persona, isTemplate, isBlocked: before.isBlocked, attempt: before.attempts + 1 },
      replies: (shown.buttons ?? []).flatMap(button => (button.id === undefined ? [] : [button.title])),
      language: template?.language ?? 'pt_BR',
    })
    if (reaction.answer.kind === 'refused') {
      const { http, code, text } = reaction.answer
      return refuse(failed(http, code, text))
    }
    if (reaction.answer.kind === 'cut') return refuse({ fails: 'cut' })
    const id = `wamid.SIMULATED${randomUUID().replaceAll('-', '').toUpperCase()}`
    const callback = scalarText(body.biz_opaque_callback_data)
    const message = { id, from: 'business' as const, time: now(), ...shown, ...(callback === '' ? {} : { callback }) }
    const steps = reaction.steps.map((step, place): PendingStep => {
      const shared = { id: `${id}/${place}`, at: at + step.after, node, persona }
      if (step.kind === 'status')
        return {
          ...shared,
          kind: 'status',
          message: id,
          status: step.status,
          ...(step.code === undefined ? {} : { code: step.code }),
        }
      const replies = (shown.buttons ?? []).filter(button => button.id !== undefined)
      const pressed = step.button === undefined ? undefined : replies[step.button]
      return {
        ...shared,
        kind: 'reply',
        message: {
          id: `${id}/reply`,
          from: 'persona',
          time: 0,
          kind: pressed === undefined ? 'text' : 'button',
          text: step.text,
          replyTo: id,
          ...(pressed === undefined ? {} : { buttons: [pressed] }),
        },
      }
    })
    const facts: readonly SimulatedFact[] = [{ do: 'sent', persona, message, steps }]
    if (reaction.answer.kind === 'lost') return { answer: { fails: 'lost' }, facts }
    if (reaction.answer.kind === 'failed') return { answer: failed(500, 131_000, 'Something went wrong'), facts }
    return { answer: ok(sentBody(recipientOf(body) || personaPhone(persona), personaWaId(persona), id)), facts }
  }
}

/** The double's template of a send: by name and language. */
const templateFor = (state: SimulatedState, content: JsonObject): SimulatedTemplate | undefined => {
  const code = scalarText(objectOf(content.language).code).replace('-', '_')
  return [...state.templates.values()].find(
    ({ name, language }) => name === scalarText(content.name) && language.replace('-', '_') === code,
  )
}

/** Id of the picture that personas send. */
export const mediaId = ({ phoneNumberId }: SimulatedAccount): string => `${phoneNumberId}7`

const bodyOf = ({ body }: OutboundRequest): JsonObject => objectOf(parseJson(body ?? ''))

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A call to the double in its parts; `origin`: address with the version, for links in answers. */
export const readGraphCall = (request: OutboundRequest, url: URL): GraphCall => {
  const [version = '', ...path] = url.pathname
    .split('/')
    .filter(part => part !== '')
    .map(decoded)
  const query = new URLSearchParams(url.searchParams)
  query.set('origin', `${url.origin}/${version}`)
  const authorization = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  return { method: request.method, path, query, body: bodyOf(request), authorization }
}

/** The response of a call, as the network would bring it. */
export const outboundAnswerOf = (answer: GraphAnswer, { url, most }: OutboundRequest): Result<OutboundAnswer> => {
  if ('fails' in answer)
    return refused('outbound.unreachable', {
      params: { reason: answer.fails === 'cut' ? 'ECONNREFUSED' : 'ECONNRESET' },
    })
  const bytes = answer.bytes ?? new TextEncoder().encode(JSON.stringify(answer.body))
  return accepted({
    status: answer.status,
    url,
    redirects: 0,
    headers: [['content-type', answer.type ?? 'application/json']],
    body: bytes.subarray(0, most),
    truncated: bytes.length > most,
  })
}
