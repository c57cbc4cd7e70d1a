import { optOutOf, readReceipts, readReplies } from '#domain/campaign/receipt.ts'
import type { JsonObject } from '#schemas/event.ts'
import { attemptOf, type Receipt, receiptsStream } from '#schemas/events/campaign-run.ts'
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

  /** Handles a change `messages` or `user_preferences` of an account. Resolves when it is stored. */
  async hear(metaaccount: string, value: JsonObject): Promise<void> {
    const { index, hmac, audience, optOuts, now } = this.#parts
    const level = await this.#parts.levelOf(metaaccount)
    const receipts: Receipt[] = []
    for (const { message, callback, status, time, code, recipient, scoped } of readReceipts(value)) {
      const id = hmac(`message ${message}`)
      const attempt = attemptOf(callback)
      if (attempt === null && index.queries.recipientOf(id) === undefined) {
        index.foreign += 1
        continue
      }
      receipts.push({ message: id, attempt, status, time, code })
      if (code === OPTED_OUT) await optOuts.prefer(level, { phone: recipient, scoped }, 'stop', 'meta', code)
    }
    for (const reply of readReplies(value)) {
      const person = { phone: reply.from, scoped: reply.scoped }
      const answered =
        reply.context === ''
          ? index.queries.deliveredTo(audience.digestsOf(person), now() - ENGAGED_MS)
          : hmac(`message ${reply.context}`)
      if (answered !== undefined)
        receipts.push({ message: answered, attempt: null, status: 'engaged', time: reply.time, code: null })
      const { said, context, time } = reply
      const outcome = await optOuts.hear({ level, person, said, context, time: time || now(), bot: undefined })
      const text = outcome.reply(reply.from.startsWith(BRAZIL) ? 'pt' : '')
      if (text !== undefined && reply.from !== '') void this.#answer(metaaccount, reply.from, text)
    }
    for (const { phone, scoped, value: wanted } of optOutOf(value))
      await optOuts.prefer(level, { phone, scoped }, wanted, 'meta', 'preference', metaaccount)
    if (receipts.length > 0) await this.#keep(receipts)
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
