import { optOutOf } from '#domain/campaign/receipt.ts'
import type { JsonObject } from '#schemas/event.ts'
import { attemptOf, type Receipt, receiptsStream } from '#schemas/events/campaign-run.ts'
import type {
  EventRoute,
  Heard,
  OtherPersonEvent,
  PersonEvent,
  ReceiptEvent,
} from '../../channel/exchange/followers.ts'
import type { ProviderContent, ProviderUser } from '../../channel/port.ts'
import type { ExclusiveWriter } from '../../log/exclusive-append.ts'
import { fieldText } from '../../ml/read-answer.ts'
import { openAccount } from '../meta/open-account.ts'
import type { SendingParts } from './port.ts'

const COLLECT_MS = 50
const MAX_TOGETHER = 200
/** A message within a day of a delivery counts as an answer to it. */
const ENGAGED_MS = 86_400_000
const OPTED_OUT = '131050'
/** People with this country code get replies in Portuguese. */
const BRAZIL = '55'

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

/** Words that a person wrote, or the payload and label of a button. */
const wordsOf = (content: ProviderContent, payload = ''): readonly string[] => {
  if (content.kind === 'text') return [content.text, payload]
  return content.kind === 'choice' ? [content.value, content.title, payload] : []
}

/** Stores Meta's receipts of messages before Meta gets its response. */
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
      const { state: status, time, code = null, recipient: phone = '', scoped = '' } = event
      receipts.push({ message, attempt, status, time, code })
      if (code === OPTED_OUT) await optOuts.prefer(await this.#levelOf(route), { phone, scoped }, 'stop', 'meta', code)
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

  /** Hears an opt-out that no bot hears, and replies to it from the account. */
  async hearOptOut({ route, event }: Heard<PersonEvent>): Promise<void> {
    const { optOuts, now } = this.#parts
    const { from, content, payload, replyTo: context = '' } = event
    const said = wordsOf(content, payload).filter(words => words !== '')
    if (said.length === 0) return
    const person = personOf(from)
    const time = event.time || now()
    const level = await this.#levelOf(route)
    const outcome = await optOuts.hear({ level, person, said, context, time, bot: undefined })
    const text = outcome.reply(person.phone.startsWith(BRAZIL) ? 'pt' : '')
    if (text !== undefined && person.phone !== '' && route.account !== undefined)
      void this.#answer(route.account, person.phone, text)
  }

  /** Handles a change `user_preferences` of an account. */
  async hearPreferences(account: string, value: JsonObject): Promise<void> {
    const level = await this.#parts.levelOf(account)
    for (const { phone, scoped, value: wanted } of optOutOf(value))
      await this.#parts.optOuts.prefer(level, { phone, scoped }, wanted, 'meta', 'preference', account)
  }

  async #levelOf({ level, account }: EventRoute): Promise<string | null> {
    return level ?? (account === undefined ? null : this.#parts.levelOf(account))
  }

  /** Replies to an opt-out from the number that it was written to: the person has just opened the window of 24 hours. */
  async #answer(metaaccount: string, to: string, text: string): Promise<void> {
    const { commands, graph, failed } = this.#parts
    try {
      const account = await openAccount(commands, metaaccount)
      if (account === undefined) return
      const path = `/${fieldText(account.fields, 'phone_number_id')}/messages`
      const body = { messaging_product: 'whatsapp', to: `+${to}`, type: 'text', text: { body: text } }
      await graph.ask(account.credentials, { method: 'POST', path, body, isOnce: true })
    } catch (error) {
      failed(error)
    }
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
