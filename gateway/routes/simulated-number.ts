import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openPhones } from '#domain/audience/phone.ts'
import {
  isSimulated,
  PERSONAS,
  personaBehaviour,
  personaName,
  personaPhone,
  qualityAfter,
  SAMPLE_PRICES,
  SIMULATED_MODE,
  SIMULATED_TIERS,
  USUAL_CONTACTS,
} from '#domain/campaign/simulated-number.ts'
import type { RowOf } from '#projections/port.ts'
import { allRows } from '#projections/scope.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import { readContact } from '#runtime/campaign/audience/read-contact.ts'
import type { PhoneAct } from '#runtime/channel/whatsapp-simulated/simulated-numbers.ts'
import {
  blocksOf,
  isWindowOpen,
  type PhoneMessage,
  personaIn,
  type SimulatedState,
} from '#runtime/channel/whatsapp-simulated/simulated-state.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { SIMULATED_TYPE } from '#schemas/channel-type.ts'
import { accepted } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { callerOf, runWrite, sessionOf } from './command.ts'

interface SimulatedParts {
  readonly parts: Parts
  readonly audiences: Audiences
}

type Number = AnswerOf<'GET /simulatednumber'>['items'][number]
type Account = RowOf<'metaaccount'>

/** Numbers in a list: the newest. */
const MAX_LISTED = 200

const NOT_FOUND = { code: 'entity.notfound' } as const
const iso = (time: number): string => new Date(time).toISOString()

/** A simulated account that the caller may read; undefined after it was refused. */
const findAccount = async (
  { read, simulated }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<Account | undefined> => {
  const row = await read.detail(sessionOf(request).scope, 'metaaccount', id)
  if (row !== undefined && isSimulated(row) && (await simulated.account(id)) !== undefined) return row
  await refuse(reply, NOT_FOUND)
  return undefined
}

const numberOf = (account: Account, channels: readonly RowOf<'channel'>[]): Number => {
  const channel = channels.find(({ metaaccount, enable }) => metaaccount === account.id && enable !== false)
  return {
    id: account.id,
    app: account.metaapp,
    name: account.name,
    phone: account.display_phone_number ?? '',
    bot: account.bot ?? null,
    channel: channel?.id ?? null,
  }
}

const channelsOf = ({ read }: Parts, request: FastifyRequest) =>
  allRows(read, sessionOf(request).scope, 'channel', { type: SIMULATED_TYPE })

const personaItem = (state: SimulatedState, persona: number) => {
  const { messages, isBlocked } = personaIn(state, persona)
  const last = messages.at(-1)
  return {
    persona,
    phone: personaPhone(persona),
    name: personaName(persona),
    behaviour: personaBehaviour(persona),
    blocked: isBlocked,
    last: last?.text ?? '',
    time: last === undefined ? null : iso(last.time),
    unread: messages.filter(({ from, status }) => from === 'business' && status !== 'read' && status !== 'failed')
      .length,
  }
}

const stateAnswer = async (parts: Parts, request: FastifyRequest, account: Account) => {
  const state = await parts.simulated.state(account.id)
  const blocks = blocksOf(state)
  return {
    ...numberOf(account, await channelsOf(parts, request)),
    simulated: true as const,
    speed: parts.simulated.speedOf(state),
    clock: iso(parts.simulated.simulatedTime(state)),
    tier: state.tier,
    raisable: state.tier !== SIMULATED_TIERS.at(-1),
    quality: qualityAfter(blocks),
    blocks,
    sampleprices: { currency: 'BRL' as const, ...SAMPLE_PRICES },
    personas: Array.from({ length: PERSONAS }, (_, persona) => personaItem(state, persona)),
  }
}

const messageItem = ({ id, from, time, kind, text, header, footer, link, status, buttons = [] }: PhoneMessage) => ({
  ...{ id, from, kind, text, time: iso(time) },
  header: header ?? null,
  footer: footer ?? null,
  link: link ?? null,
  status: status ?? null,
  buttons:
    from === 'persona'
      ? []
      : buttons.map(({ title, url, id: answer }) => ({ title, url: url ?? null, answers: answer !== undefined })),
})

const phoneAnswer = async ({ simulated }: Parts, account: string, persona: number) => {
  const state = await simulated.state(account)
  const phone = personaIn(state, persona)
  return {
    ...personaItem(state, persona),
    simulated: true as const,
    open: isWindowOpen(phone, simulated.simulatedTime(state)),
    messages: phone.messages.map(messageItem),
  }
}

function addNumbers(app: FastifyInstance, parts: Parts): void {
  handle(app, 'GET /simulatednumber', { permission: 'readmetaaccount' }, async request => {
    const { scope } = sessionOf(request)
    const filter = { account_mode: SIMULATED_MODE }
    const page = { page: 1, size: MAX_LISTED, sort: '-created_at', filter }
    const { items: rows } = await parts.read.list(scope, 'metaaccount', page)
    const channels = await channelsOf(parts, request)
    return { on: parts.simulated.isOn, items: rows.map(row => numberOf(row, channels)) }
  })

  handle(app, 'POST /simulatednumber', { permission: 'createmetaaccount' }, async (request, reply) => {
    const bot = await parts.read.detail(sessionOf(request).scope, 'bot', request.body.bot)
    if (bot === undefined || !parts.simulated.isOn) return refuse(reply, NOT_FOUND)
    const { createSimulatedNumber } = await import('#runtime/channel/whatsapp-simulated/create-number.ts')
    const made = await runWrite(parts, request, reply, async (seed, caller) => {
      const order = { bot, caller, seed, correlation: request.id, language: request.language }
      const number = await createSimulatedNumber(parts, order)
      if (number.ok && number.value.template !== null) await submit(parts, request, number.value.template)
      return number.ok ? accepted({ result: { ...number.value } }) : number
    })
    return made === undefined ? reply : (made as AnswerOf<'POST /simulatednumber'>)
  })

  handle(app, 'GET /simulatednumber/{id}', { permission: 'readmetaaccount' }, async (request, reply) => {
    const account = await findAccount(parts, request, reply, request.params.id)
    return account === undefined ? reply : stateAnswer(parts, request, account)
  })
}

/** The review of the first template begins with the number, as long as the person waits for nothing else. */
const submit = async (parts: Parts, request: FastifyRequest, template: string): Promise<void> => {
  parts.submissions.admit(template)
  const command = { entity: 'template', action: 'submit', id: template, input: {}, correlation: randomUUID() }
  const outcome = await parts.commands.execute({ ...command, caller: callerOf(request) })
  if (!outcome.ok || outcome.position === undefined) parts.submissions.drop(template)
}

function addSteering(app: FastifyInstance, parts: Parts): void {
  const permission = 'updatemetaaccount'
  handle(app, 'POST /simulatednumber/{id}/clock', { permission }, async (request, reply) => {
    const account = await findAccount(parts, request, reply, request.params.id)
    if (account === undefined) return reply
    await parts.simulated.setSpeed(account.id, request.query.speed)
    return stateAnswer(parts, request, account)
  })

  handle(app, 'POST /simulatednumber/{id}/tier', { permission }, async (request, reply) => {
    const account = await findAccount(parts, request, reply, request.params.id)
    if (account === undefined) return reply
    await parts.simulated.raiseTier(account.id)
    return stateAnswer(parts, request, account)
  })
}

function addPhones(app: FastifyInstance, parts: Parts): void {
  const path = '/simulatednumber/{id}/persona/{persona}' as const
  handle(app, `GET ${path}`, { permission: 'readmetaaccount' }, async (request, reply) => {
    const { id, persona } = request.params
    const account = await findAccount(parts, request, reply, id)
    return account === undefined ? reply : phoneAnswer(parts, id, persona)
  })

  handle(app, `POST ${path}`, { permission: 'updatemetaaccount' }, async (request, reply) => {
    const { id, persona } = request.params
    const account = await findAccount(parts, request, reply, id)
    if (account === undefined) return reply
    const done = await parts.simulated.act(id, persona, request.body as PhoneAct)
    return done.ok ? phoneAnswer(parts, id, persona) : refuse(reply, done.refusal)
  })
}

/** Personas as contacts of a campaign, and the way from a simulated campaign to a real one. */
function addCampaignHelp(app: FastifyInstance, { parts, audiences }: SimulatedParts): void {
  handle(app, 'POST /simulatednumber/{id}/contacts', { permission: 'createcontact' }, async (request, reply) => {
    const account = await findAccount(parts, request, reply, request.params.id)
    if (account === undefined) return reply
    const { campaign, count, all } = request.body
    const row = await parts.read.detail(sessionOf(request).scope, 'campaign', campaign)
    if (row?.metaaccount !== account.id) return refuse(reply, NOT_FOUND)
    const readPhone = await openPhones()
    const personas = all ? Array.from({ length: PERSONAS }, (_, persona) => persona) : USUAL_CONTACTS
    const contacts = personas.slice(0, count).map(persona => {
      const given = { phone: personaPhone(persona), nome: personaName(persona) }
      const read = readContact(given, readPhone)
      if (!read.ok) throw new Error('the number of a persona is not valid')
      return read.value.contact
    })
    const made = await runWrite(parts, request, reply, async (_seed, { user }) => {
      const audience = await audiences.begun()
      const added = (await audience.add(campaign, contacts, user)).contacts
      const duplicates = added.filter(({ isDuplicate }) => isDuplicate).length
      return accepted({ result: { added: added.length - duplicates, duplicates } })
    })
    return made === undefined ? reply : (made as AnswerOf<'POST /simulatednumber/{id}/contacts'>)
  })

  handle(app, 'POST /simulatednumber/{id}/copy', { permission: 'createcampaign' }, async (request, reply) => {
    const account = await findAccount(parts, request, reply, request.params.id)
    if (account === undefined) return reply
    const { scope } = sessionOf(request)
    const campaign = await parts.read.detail(scope, 'campaign', request.body.campaign)
    const target = await parts.read.detail(scope, 'metaaccount', request.body.metaaccount)
    if (campaign?.metaaccount !== account.id || target === undefined || isSimulated(target))
      return refuse(reply, NOT_FOUND)
    const { copyCampaign } = await import('#runtime/channel/whatsapp-simulated/copy-campaign.ts')
    const made = await runWrite(parts, request, reply, async (seed, caller) => {
      const copied = await copyCampaign(parts, {
        campaign,
        metaaccount: target.id,
        caller,
        seed,
        correlation: request.id,
      })
      return copied.ok ? accepted({ result: { ...copied.value } }) : copied
    })
    return made === undefined ? reply : (made as AnswerOf<'POST /simulatednumber/{id}/copy'>)
  })
}

/** Simulated numbers: "Try without Meta", the phones of their personas, and the way to a real number. */
export const addSimulatedNumbers = (app: FastifyInstance, given: SimulatedParts): void => {
  addNumbers(app, given.parts)
  addSteering(app, given.parts)
  addPhones(app, given.parts)
  addCampaignHelp(app, given)
}
