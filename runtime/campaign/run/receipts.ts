import {
  mappedValues,
  mappingOf,
  optionalVariables,
  templateMessage,
  templateVariables,
} from '#domain/campaign/message-body.ts'
import { registrationOf, templateOf } from '#domain/template/template.ts'
import { channelType } from '#schemas/channel-type.ts'
import type { JsonObject } from '#schemas/event.ts'
import { attemptOf, type Receipt, receiptsStream } from '#schemas/events/campaign.ts'
import type { ProviderUser } from '../../channel/channel-port.ts'
import type { EventRoute, Heard, OtherPersonEvent, PersonEvent, ReceiptEvent } from '../../channel/exchange/inbox.ts'
import type { ExclusiveWriter } from '../../log/stream-aggregate.ts'
import type { SendingParts } from './campaign-port.ts'

const COLLECT_MS = 50
const MAX_TOGETHER = 200
/** A message within a day of a delivery counts as an answer to it. */
const ENGAGED_MS = 86_400_000
const OPTED_OUT = '131050'

/** Digits of a person's number; empty when the provider hides it. */
const phoneOf = ({ id, data }: ProviderUser): string => {
  const digits = (typeof data?.phone === 'string' ? data.phone : id).replaceAll(/[\s()+-]/gu, '')
  return /^\d{5,20}$/u.test(digits) ? digits : ''
}

/** The number of a person and Meta's id of the person (BSUID); empty when the provider does not say them. */
const personOf = (from: ProviderUser) => ({
  phone: phoneOf(from),
  scoped: typeof from.data?.bsuid === 'string' ? from.data.bsuid : '',
})

/** The provider's id of the message that an event refers to; empty: none. */
const repliedTo = (event: PersonEvent | OtherPersonEvent): string =>
  (event.kind === 'message' || event.kind === 'unknown' ? event.replyTo : event.of) ?? ''

/** Stores receipts of messages before their provider gets its response. */
export class Receipts {
  readonly #parts: SendingParts
  readonly #node: string
  #log: Promise<ExclusiveWriter> | undefined
  #waiting: Receipt[] = []
  #writing: Promise<void> | undefined

  constructor(parts: SendingParts, node: string) {
    this.#parts = parts
    this.#node = node
  }

  /** Stores the receipts of campaign messages. Returns for each whether it belongs to one. */
  async hearReceipts(heard: readonly Heard<ReceiptEvent>[]): Promise<readonly boolean[]> {
    const { index, hmac, optOuts } = this.#parts
    const receipts: Receipt[] = []
    const known: boolean[] = []
    for (const { route, event } of heard) {
      const message = hmac(`message ${event.id}`)
      const attempt = attemptOf(event.callback)
      const isOurs = attempt !== null || index.queries.recipientOf(message) !== undefined
      known.push(isOurs)
      if (!isOurs && route.channel === undefined) index.foreign += 1
      if (!isOurs) continue
      const { state: status, time, code = null, recipient: phone = '', scoped = '', pricing } = event
      receipts.push({ message, attempt, status, time, code, ...(pricing === undefined ? {} : { pricing }) })
      const isOptOut = code === OPTED_OUT || (code !== null && code === channelType(route.family)?.optOutCode)
      const source = code === OPTED_OUT ? 'meta' : 'provider'
      if (isOptOut) await optOuts.prefer(await this.#levelOf(route), { phone, scoped }, 'stop', source, code)
    }
    if (receipts.length > 0) await this.#keep(receipts)
    return known
  }

  /** Records that a person answered a campaign: by its message id, or within a day of its delivery. */
  async hearPerson({ event }: Heard<PersonEvent | OtherPersonEvent>): Promise<void> {
    const { index, hmac, audience, now } = this.#parts
    const { from } = event
    if (from === undefined) return
    const replyTo = repliedTo(event)
    const context = replyTo === '' ? undefined : hmac(`message ${replyTo}`)
    const answered =
      context !== undefined && index.queries.recipientOf(context) !== undefined
        ? context
        : index.queries.deliveredTo(audience.digestsOf(personOf(from)), now() - ENGAGED_MS)
    const time = 'time' in event && event.time > 0 ? event.time : now()
    if (answered !== undefined)
      await this.#keep([{ message: answered, attempt: null, status: 'engaged', time, code: null }])
  }

  /**
   * The campaign that a message answers by the id of its template message, the payload of the pressed button, and the
   * template message. The values of its variables are those that the contact has now.
   */
  async answered(event: PersonEvent): Promise<JsonObject | undefined> {
    const { index, hmac } = this.#parts
    const { replyTo = '', payload, content } = event
    const sent = replyTo === '' ? undefined : hmac(`message ${replyTo}`)
    const campaign = sent === undefined ? undefined : index.queries.campaignOf(sent)
    if (sent === undefined || campaign === undefined) return undefined
    const button = payload ?? (content.kind === 'choice' ? content.value : '')
    const message = await this.#messageOf(sent)
    return { ...campaign, button, ...(message === undefined ? {} : { message }) }
  }

  async #messageOf(sent: string): Promise<JsonObject | undefined> {
    const { index, audience } = this.#parts
    const found = index.queries.sentMessage(sent)
    if (found === undefined) return undefined
    const { contact, claimed, plan, fields } = found
    const template = templateOf(fields)
    const person = (await audience.open(plan.campaign, [contact])).get(contact)
    const mapping = mappingOf((plan.settings as JsonObject).mapping)
    const known = person ?? { nome: '', fields: {} }
    const registration = registrationOf(fields)
    const [variables, optional] = [templateVariables, optionalVariables].map(of => of(template, registration))
    const { values } = mappedValues(variables ?? [], mapping, known, template.language, optional)
    const { text, buttons } = templateMessage(template, values)
    return { id: `campaign-${sent}`, time: new Date(claimed).toISOString(), text, buttons: [...buttons] }
  }

  async #levelOf({ level, account }: EventRoute): Promise<string | null> {
    return level ?? (account === undefined ? null : this.#parts.levelOf({ metaaccount: account, channel: '' }))
  }

  async close(): Promise<void> {
    await this.#writing?.catch(() => undefined)
  }

  async #keep(receipts: readonly Receipt[]): Promise<void> {
    this.#waiting.push(...receipts)
    this.#writing ??= this.#write()
    await this.#writing
  }

  async #write(): Promise<void> {
    if (this.#waiting.length < MAX_TOGETHER) await new Promise(resolve => setTimeout(resolve, COLLECT_MS))
    const receipts = this.#waiting
    this.#waiting = []
    this.#writing = undefined
    const { store, index } = this.#parts
    this.#log ??= index.writerOf(store, receiptsStream(this.#node))
    try {
      const log = await this.#log
      for (let from = 0; from < receipts.length; from += MAX_TOGETHER)
        await log.write([{ type: 'ReceiptsRecorded', data: { receipts: receipts.slice(from, from + MAX_TOGETHER) } }])
    } catch (error) {
      this.#log = undefined
      throw error
    }
  }
}
