import { WrongRevision } from '#commands/store/port.ts'
import { classifySendError, retryDelay } from '#domain/campaign/delivery.ts'
import { messageBody } from '#domain/campaign/message-body.ts'
import { type Template, templateOf } from '#domain/template/template.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type Attempt, callbackOf, type SendAnswers } from '#schemas/events/campaign.ts'
import { isObject } from '#schemas/json.ts'
import { accepted, type Refusal } from '#schemas/refusal.ts'
import type { OpenAccount } from '../../channel/shared/graph.ts'
import type { ExclusiveWriter } from '../../log/stream-aggregate.ts'
import type { SuppressionScope } from '../audience/audience.ts'
import type { SendingParts } from './campaign-port.ts'
import { type ChosenRecipient, categoryOf } from './plan-run.ts'
import type { RunRow } from './run-queries.ts'

/** Answers that arrive within this time are written together. */
const COLLECT_MS = 100
/** Consecutive unknown outcomes, or refusals caused by a defect of ours, after which a run pauses. */
const MAX_UNKNOWN = 5
const MAX_DEFECTS = 10
const WATCHED = 200
const MAX_DEFECT_SHARE = 0.05

type Answers = { -readonly [Kind in keyof SendAnswers]: SendAnswers[Kind][number][] }

const none = (): Answers => ({ accepted: [], refused: [], unknown: [] })

/** Id of an accepted message, and whether Meta holds it; undefined for an answer without a message. */
const acceptedOf = ({ messages }: JsonObject): { readonly id: string; readonly isHeld: boolean } | undefined => {
  const [message] = Array.isArray(messages) ? messages : []
  if (!isObject(message) || typeof message.id !== 'string' || message.id === '') return undefined
  return { id: message.id, isHeld: message.message_status === 'held_for_quality_assessment' }
}

/** Claims recipients, sends to them, and records the outcome of each. */
export class SendBatch {
  /** Refreshed periodically. */
  account: OpenAccount | undefined
  /** Reason why the batch may send nothing more. */
  stopReason: string | undefined
  readonly #parts: SendingParts
  readonly #log: ExclusiveWriter
  readonly #run: RunRow
  readonly #template: Template
  readonly #sending = new Set<Promise<void>>()
  #answers = none()
  #writing: Promise<void> | undefined
  #unknowns = 0
  #defects = 0
  readonly #recent: boolean[] = []

  constructor(parts: SendingParts, log: ExclusiveWriter, run: RunRow) {
    this.#parts = parts
    this.#log = log
    this.#run = run
    this.#template = templateOf(run.plan.template.fields)
  }

  get inFlight(): number {
    return this.#sending.size
  }

  /** Resolves when they are claimed; nothing is sent before that. */
  async send(recipients: readonly ChosenRecipient[]): Promise<void> {
    const attempts = recipients.map(({ n, tries }): Attempt => [n, tries + 1])
    await this.#log.write([{ type: 'SendsClaimed', data: { attempts } }])
    const { campaign, metaaccount } = this.#run.plan
    const lists = await this.#parts.lists.ofCampaign(campaign, metaaccount)
    for (const [place, recipient] of recipients.entries()) {
      const attempt = attempts[place]
      if (attempt === undefined) continue
      const sending = this.#send(recipient, attempt, { lists, category: categoryOf(this.#run.plan) })
        .catch(error => this.#lost(error))
        .finally(() => this.#sending.delete(sending))
      this.#sending.add(sending)
    }
  }

  /** Resolves when the answers to all claims are written. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending)
    await this.#writing
  }

  async #send({ to, values, n }: ChosenRecipient, attempt: Attempt, scope: SuppressionScope): Promise<void> {
    const { graph, hmac, audience } = this.#parts
    const { account } = this
    if (account === undefined) throw new Error('nothing is claimed before the account is known')
    // The person may have opted out since the recipient was chosen.
    if (audience.isSuppressed(scope, audience.digestsOf({ phone: to }))) {
      this.#answers.refused.push([n, attempt[1], 'optout', true])
      this.#writing ??= this.#write()
      return this.#writing
    }
    const body = messageBody(this.#template, to, values, callbackOf(this.#run.id, attempt))
    const path = `/${this.#run.plan.number}/messages`
    const answer = await graph
      .ask(account.credentials, { method: 'POST', path, body, isOnce: true })
      // A bug of ours: the message may have been sent before the error.
      .catch((error: unknown) => {
        this.#parts.failed(error)
        return accepted<JsonObject>({})
      })
    const message = answer.ok ? acceptedOf(answer.value) : undefined
    if (message !== undefined) {
      this.#seen(false, false)
      this.#answers.accepted.push([n, attempt[1], hmac(`message ${message.id}`), message.isHeld])
    } else if (answer.ok) {
      this.#seen(true, false)
      this.#answers.unknown.push([n, attempt[1], 'answer'])
    } else await this.#refused(answer.refusal, attempt, to)
    this.#writing ??= this.#write()
    await this.#writing
  }

  async #refused(refusal: Refusal, [n, tries]: Attempt, to: string): Promise<void> {
    const { index, bucketOf, now, failed } = this.#parts
    const { plan, seq } = this.#run
    const outcome = classifySendError(refusal)
    this.#seen(outcome.kind === 'unknown', outcome.kind === 'failed' && outcome.isDefect)
    if (outcome.kind === 'unknown') {
      this.#answers.unknown.push([n, tries, outcome.reason])
      return
    }
    if (outcome.kind === 'pause') {
      this.stopReason ??= outcome.reason
      this.#answers.refused.push([n, tries, outcome.reason, false])
      return
    }
    if (outcome.kind === 'failed') {
      this.#answers.refused.push([n, tries, outcome.reason, true])
      if (outcome.stopped) await this.#stop(to).catch(failed)
      return
    }
    if (outcome.slow) bucketOf(plan.number).slow()
    const isFinal = tries > outcome.most
    this.#answers.refused.push([n, tries, outcome.reason, isFinal])
    if (!isFinal) index.postpone(seq, n, now() + retryDelay(outcome.reason, tries, Math.random()))
  }

  /** Stores that a person stopped messages at Meta. */
  async #stop(phone: string): Promise<void> {
    const { optOuts, levelOf } = this.#parts
    await optOuts.prefer(await levelOf(this.#run.plan.metaaccount), { phone }, 'stop', 'meta', '131050')
  }

  /** Stops the run early during an outage, or when the messages themselves are faulty. */
  #seen(isUnknown: boolean, isDefect: boolean): void {
    this.#unknowns = isUnknown ? this.#unknowns + 1 : 0
    this.#defects = isDefect ? this.#defects + 1 : 0
    this.#recent.push(isDefect)
    if (this.#recent.length > WATCHED) this.#recent.shift()
    const share = this.#recent.filter(Boolean).length / WATCHED
    if (this.#unknowns >= MAX_UNKNOWN) this.stopReason ??= 'unknown'
    if (this.#defects >= MAX_DEFECTS || share > MAX_DEFECT_SHARE) this.stopReason ??= 'errors'
  }

  /** Ignores that another node took the run: it does not learn the answers received here. */
  #lost(error: unknown): void {
    if (!(error instanceof WrongRevision)) this.#parts.failed(error)
  }

  async #write(): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, COLLECT_MS))
    const answers = this.#answers
    this.#answers = none()
    this.#writing = undefined
    await this.#log.write([{ type: 'SendsAnswered', data: answers }])
  }
}
