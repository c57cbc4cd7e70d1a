import { setTimeout as pause } from 'node:timers/promises'
import type { Commands } from '#commands/command-handler.ts'
import { derivedId } from '#commands/pipeline/append.ts'
import { type Outcome, systemCaller } from '#commands/port.ts'
import { openPhones } from '#domain/audience/phone.ts'
import { MAX_SPEED, personaName, personaPhone, USUAL_CONTACTS } from '#domain/campaign/simulated-number.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Audiences } from '../campaign/audience/compose-audience.ts'
import { readContact } from '../campaign/audience/read-contact.ts'
import type { Submissions } from '../campaign/template/submit-template.ts'
import { createSimulatedNumber } from '../channel/whatsapp-simulated/create-number.ts'
import type { SimulatedNumbers } from '../channel/whatsapp-simulated/simulated-numbers.ts'

/** Fewer than 200, so that the run does not begin with a minute's wait. */
const PEOPLE = 120
/** Messages a second: the start of a gateway is not slowed down by them. */
const RATE = 20
const LOOK_MS = 500
/** Longest wait for the review, and for the end of the run. */
const MAX_WAIT_MS = 180_000

export interface SampleCampaignParts {
  readonly commands: Pick<Commands, 'execute'>
  readonly read: Pick<ReadModels, 'detail' | 'list' | 'reached'>
  readonly audiences: Pick<Audiences, 'begun'>
  readonly submissions: Pick<Submissions, 'admit'>
  readonly simulated: SimulatedNumbers
}

interface SampleCampaign extends SampleCampaignParts {
  /** The sample's bot that answers. */
  readonly bot: string
  /** Equal seeds make the same things, so that a second start makes nothing twice. */
  readonly seed: string
  readonly signal: AbortSignal
}

/** Looks until something holds. Returns false when that took too long, or the gateway closes. */
const until = async (signal: AbortSignal, holds: () => Promise<boolean>): Promise<boolean> => {
  for (let waited = 0; waited < MAX_WAIT_MS; waited += LOOK_MS) {
    if (signal.aborted) return false
    if (await holds()) return true
    await pause(LOOK_MS, undefined, { ref: false })
  }
  return false
}

/** Contacts of the campaign: personas with their invented names. */
const contactsOf = async () => {
  const readPhone = await openPhones()
  return USUAL_CONTACTS.slice(0, PEOPLE).flatMap(persona => {
    const read = readContact({ phone: personaPhone(persona), nome: personaName(persona) }, readPhone)
    return read.ok ? [read.value.contact] : []
  })
}

/**
 * Sends a campaign of the sample to the personas of a simulated number, so that the workspace has a finished one with
 * its report. May be interrupted and repeated. Returns false when it was interrupted.
 */
export const sendSampleCampaign = async ({ bot, seed, signal, ...parts }: SampleCampaign): Promise<boolean> => {
  const { commands, read, audiences, submissions, simulated } = parts
  const row = await read.detail(SYSTEM_SCOPE, 'bot', bot)
  // The bot was removed, or simulated numbers are off.
  if (row === undefined || !simulated.isOn) return true
  const caller = systemCaller(row.hierarchylevel ?? '')
  const run = async (entity: string, action: string, id: string, input: JsonObject): Promise<Outcome> => {
    const own = derivedId(seed, `${action} ${entity}`)
    const outcome = await commands.execute({ entity, action, id, input, caller, correlation: seed, seed: own })
    if (outcome.ok && outcome.position !== undefined) await read.reached(outcome.position)
    return outcome
  }
  const number = await createSimulatedNumber(parts, { bot: row, caller, seed, correlation: seed, language: 'pt' })
  if (!number.ok) return true
  const { account } = number.value
  const [template] = (await read.list(SYSTEM_SCOPE, 'template', { page: 1, size: 1, filter: { metaaccount: account } }))
    .items
  if (template === undefined) return true
  await simulated.setSpeed(account, MAX_SPEED)
  if (template.submission === 'draft') {
    submissions.admit(template.id)
    await run('template', 'submit', template.id, {})
  }
  const isApproved = async () => (await read.detail(SYSTEM_SCOPE, 'template', template.id))?.status === 'APPROVED'
  if (!(await until(signal, isApproved))) return !signal.aborted
  const campaign = await run('campaign', 'create', '', {
    hierarchylevel: row.hierarchylevel,
    name: 'pedidos_prontos',
    template: template.id,
    metaaccount: account,
    mapping: [{ variable: '1', source: 'nome', default: 'cliente' }],
    rate: RATE,
  })
  if (!campaign.ok) return true
  const state = async () => (await read.detail(SYSTEM_SCOPE, 'campaign', campaign.id))?.run_status ?? null
  if ((await state()) === null) {
    await (await audiences.begun()).add(campaign.id, await contactsOf(), null)
    await run('campaign', 'start', campaign.id, {})
  }
  const hasEnded = async () => ['completed', 'cancelled', 'expired', 'paused', null].includes(await state())
  const isDone = await until(signal, hasEnded)
  // From now on people watch: their clock runs as a real one.
  if (isDone) await pause(LOOK_MS, undefined, { ref: false })
  if (isDone) await simulated.setSpeed(account, 1)
  return !signal.aborted
}
