import { isOptOut } from '#domain/campaign/opt-out.ts'
import { optOutOf } from '#domain/campaign/receipt.ts'
import type { JsonObject } from '#schemas/event.ts'
import { attemptOf, type Receipt, receiptsStream } from '#schemas/events/campaign-run.ts'
import type { Heard, OtherPersonEvent, PersonEvent, ReceiptEvent } from '../../channel/exchange/followers.ts'
import type { ProviderContent, ProviderUser } from '../../channel/port.ts'
import type { ExclusiveWriter } from '../../log/exclusive-append.ts'
import type { SendingParts } from './port.ts'

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
    const { index, hmac, audience } = this.#parts
    const receipts: Receipt[] = []
    const known: boolean[] = []
    for (const { route, event } of heard) {
      const message = hmac(`message ${event.id}`)
      const attempt = attemptOf(event.callback)
      const isOurs = attempt !== null || index.queries.recipientOf(message) !== undefined
      known.push(isOurs)
      if (!isOurs && route.channel === undefined) index.foreign += 1
      if (!isOurs) continue
      const { state: status, time, code = null, recipient } = event
      receipts.push({ message, attempt, status, time, code })
      if (code === OPTED_OUT && recipient !== undefined && route.account !== undefined)
        await audience.suppress(route.account, 'marketing', `+${recipient}`, 'meta')
    }
    if (receipts.length > 0) await this.#keep(receipts)
    return known
  }

  /** Records that a person answered a campaign: by its message id, or within a day of its delivery. */
  async hearPerson({ event }: Heard<PersonEvent | OtherPersonEvent>): Promise<void> {
    const { index, hmac, audience, now } = this.#parts
    const { from } = event
    if (from === undefined) return
    const [phone, replyTo] = [phoneOf(from), repliedTo(event)]
    const context = replyTo === '' ? undefined : hmac(`message ${replyTo}`)
    const answered =
      context !== undefined && index.queries.recipientOf(context) !== undefined
        ? context
        : phone === ''
          ? undefined
          : index.queries.deliveredTo(audience.hmac(phone), now() - ENGAGED_MS)
    const time = 'time' in event && event.time > 0 ? event.time : now()
    if (answered !== undefined)
      await this.#keep([{ message: answered, attempt: null, status: 'engaged', time, code: null }])
  }

  /** Suppresses the number of a person who asks for it in words or by a button. */
  async hearOptOut({ route, event: { from, content, payload } }: Heard<PersonEvent>): Promise<void> {
    const phone = phoneOf(from)
    if (route.account === undefined || phone === '' || !wordsOf(content, payload).some(isOptOut)) return
    await this.#parts.audience.suppress(route.account, 'marketing', `+${phone}`, 'reply')
  }

  /** Handles a change `user_preferences` of an account. */
  async hearPreferences(account: string, value: JsonObject): Promise<void> {
    for (const { phone, isStop } of optOutOf(value))
      if (isStop) await this.#parts.audience.suppress(account, 'marketing', `+${phone}`, 'meta')
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
