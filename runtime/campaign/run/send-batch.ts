import { WrongRevision } from '#commands/store/port.ts'
import { templateFor } from '#domain/campaign/comparison.ts'
import { retryDelay, type SendOutcome } from '#domain/campaign/delivery.ts'
import { fillTemplate } from '#domain/campaign/message-body.ts'
import { type Attempt, callbackOf, type SendAnswers } from '#schemas/events/campaign.ts'
import type { OpenedSender } from '../../channel/template/open-senders.ts'
import type { SendResult } from '../../channel/template/template-port.ts'
import type { ExclusiveWriter } from '../../log/stream-aggregate.ts'
import type { SuppressionScope } from '../audience/audience.ts'
import type { SendingParts } from './campaign-port.ts'
import { type ChosenRecipient, categoryOf, formsOf, planSource } from './plan-run.ts'
import type { RunRow } from './run-queries.ts'

/** Answers that arrive within this time are written together. */
const COLLECT_MS = 100
/** Consecutive unknown outcomes, or refusals caused by a defect of ours, after which a run pauses. */
const MAX_UNKNOWN = 5
const MAX_DEFECTS = 10
const WATCHED = 200
const MAX_DEFECT_SHARE = 0.05
const META_OPTED_OUT = '131050'

type Answers = { -readonly [Kind in keyof SendAnswers]: SendAnswers[Kind][number][] }

const none = (): Answers => ({ accepted: [], refused: [], unknown: [] })

/** Claims recipients, sends to them, and records the outcome of each. */
export class SendBatch {
  /** Refreshed periodically. */
  opened: OpenedSender | undefined
  /** Reason why the batch may send nothing more. */
  stopReason: string | undefined
  readonly #parts: SendingParts
  readonly #log: ExclusiveWriter
  readonly #run: RunRow
  readonly #forms: ReturnType<typeof formsOf>
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
    this.#forms = formsOf(run.plan)
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

  async #send({ to, values, n, variant }: ChosenRecipient, attempt: Attempt, scope: SuppressionScope): Promise<void> {
    const { hmac, audience } = this.#parts
    const { opened } = this
    if (opened === undefined) throw new Error('nothing is claimed before the sender is known')
    // The person may have opted out since the recipient was chosen.
    if (audience.isSuppressed(scope, audience.digestsOf({ phone: to }))) {
      this.#answers.refused.push([n, attempt[1], 'optout', true])
      this.#writing ??= this.#write()
      return this.#writing
    }
    const winner = this.#parts.index.queries.winner(this.#run.seq)
    const { template, registration } = this.#forms[templateFor(variant, winner)]
    const message = fillTemplate(template, values, registration)
    const result = await opened.sender
      .send(message, to, callbackOf(this.#run.id, attempt))
      // A bug of ours: the message may have been sent before the error.
      .catch((error: unknown): SendResult => {
        this.#parts.failed(error)
        return { kind: 'unknown', reason: 'answer' }
      })
    if (result.kind === 'accepted') {
      this.#seen(false, false)
      this.#answers.accepted.push([n, attempt[1], hmac(`message ${result.id}`), result.isHeld])
    } else await this.#refused(result, attempt, to)
    this.#writing ??= this.#write()
    await this.#writing
  }

  async #refused(outcome: SendOutcome, [n, tries]: Attempt, to: string): Promise<void> {
    const { index, bucketOf, now, failed } = this.#parts
    const { plan, seq } = this.#run
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
      if (outcome.stopped) await this.#stop(to, outcome.reason).catch(failed)
      return
    }
    if (outcome.slow) bucketOf(plan.number).slow()
    const isFinal = tries > outcome.most
    this.#answers.refused.push([n, tries, outcome.reason, isFinal])
    const delay = Math.max(outcome.after ?? 0, retryDelay(outcome.reason, tries, Math.random()))
    if (!isFinal) index.postpone(seq, n, now() + delay)
  }

  /** Stores that a person stopped messages at the provider. */
  async #stop(phone: string, code: string): Promise<void> {
    const { optOuts, levelOf } = this.#parts
    const level = await levelOf(planSource(this.#run.plan))
    await optOuts.prefer(level, { phone }, 'stop', code === META_OPTED_OUT ? 'meta' : 'provider', code)
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
