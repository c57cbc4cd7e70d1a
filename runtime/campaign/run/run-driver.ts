import { setTimeout as pause } from 'node:timers/promises'
import { systemCommand } from '#commands/port.ts'
import { WrongRevision } from '#commands/store/port.ts'
import { TimeSlicer } from '#commands/time-slicer.ts'
import { templateFor, winnerIn } from '#domain/campaign/comparison.ts'
import { retryDelay, type SendOutcome } from '#domain/campaign/delivery.ts'
import { fillTemplate } from '#domain/campaign/message-body.ts'
import { isSendableThere } from '#domain/template/template.ts'
import type { SendResult } from '#runtime/channel/channel-port.ts'
import type { OpenedSender } from '#runtime/channel/template/open-senders.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type Attempt, callbackOf, runStream, type SendAnswers } from '#schemas/events/campaign.ts'
import { fieldText } from '#schemas/json.ts'
import type { ExclusiveWriter } from '../../log/stream-aggregate.ts'
import { SegmentUnknown } from '../audience/segments.ts'
import type { CampaignState, SendingParts } from './campaign-port.ts'
import { type ChosenRecipient, categoryOf, chooseRecipients, formsOf, planRun, planSource } from './plan-run.ts'
import type { RunRow } from './run-queries.ts'
import { NEVER_DUE } from './run-schema.ts'
import {
  BATCH_MS,
  campaignRate,
  FULL_BATCH_MS,
  MAX_BATCH,
  portfolioRoom,
  WARMUP,
  WARMUP_FROM,
  WARMUP_MS,
} from './send-rate.ts'

/** Answers that arrive within this time are written together. */
const COLLECT_MS = 50
/** Messages that leave in one turn of the event loop. */
const SENT_TOGETHER = 25
/** Consecutive unknown outcomes, or refusals caused by a defect of ours, after which a run pauses. */
const MAX_UNKNOWN = 5
const MAX_DEFECTS = 10
const WATCHED = 200
const MAX_DEFECT_SHARE = 0.05
const META_OPTED_OUT = '131050'

type Answers = { -readonly [Kind in keyof SendAnswers]: SendAnswers[Kind][number][] }

const none = (): Answers => ({ accepted: [], refused: [], unknown: [] })

/** Claims recipients, sends to them, and records the outcome of each. */
class SendBatch {
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
  #recentDefects = 0

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
    const { plan, seq } = this.#run
    const { audience, index, lists } = this.#parts
    const scope = { lists: await lists.ofCampaign(plan.campaign, plan.metaaccount), category: categoryOf(plan) }
    const slices = new TimeSlicer()
    for (let from = 0; from < recipients.length; from += SENT_TOGETHER) {
      const some = recipients.slice(from, from + SENT_TOGETHER)
      // People may have opted out since they were chosen.
      const people = some.map(({ to }) => audience.digestsOf({ phone: to }))
      const stopped = audience.suppressedAmong(scope, people)
      const winner = index.queries.winner(seq)
      for (const [place, recipient] of some.entries()) {
        const attempt = attempts[from + place]
        if (attempt === undefined) continue
        const sending = (stopped.has(place) ? this.#optedOut(attempt) : this.#send(recipient, attempt, winner))
          .catch(error => this.#lost(error))
          .finally(() => this.#sending.delete(sending))
        this.#sending.add(sending)
      }
      await slices.next()
    }
  }

  /** Resolves when the answers to all claims are written. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending)
    await this.#writing
  }

  #optedOut([n, tries]: Attempt): Promise<void> {
    this.#answers.refused.push([n, tries, 'optout', true])
    this.#writing ??= this.#write()
    return this.#writing
  }

  async #send({ to, values, n, variant }: ChosenRecipient, attempt: Attempt, winner: 'a' | 'b' | null): Promise<void> {
    const { hmac } = this.#parts
    const { opened } = this
    if (opened === undefined) throw new Error('nothing is claimed before the sender is known')
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
    if (isDefect) this.#recentDefects += 1
    if (this.#recent.length > WATCHED && this.#recent.shift() === true) this.#recentDefects -= 1
    const share = this.#recentDefects / WATCHED
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

/** Maximum messages in flight: those of a second at the fastest number. */
const MAX_IN_FLIGHT = 800
/** Interval of reading the run's template and sender again. */
const FRESH_MS = 5000
/** Interval of computing the messaging limit again. */
const LIMIT_MS = 1000
/** A shorter wait is not shown. */
const SHOWN_WAIT_MS = 3000

/** States in which a run is planned and sent. */
const ONGOING: ReadonlySet<string> = new Set(['planned', 'running', 'waiting'])

/** Result of a step: run the next one after `wait` ms; undefined: nothing more to do now. */
type Step = { readonly wait: number } | undefined

/** Sends one run, until another node takes it over. */
export class RunDriver {
  readonly #parts: SendingParts
  readonly #campaign: string
  readonly #run: string
  readonly #node: string
  #wake = Promise.withResolvers<void>()
  #isStopped = false
  #isWoken = false
  #batch: SendBatch | undefined
  #readAt = 0
  readonly #waits = new Map<number, string>()

  constructor(parts: SendingParts, campaign: string, run: string, node: string) {
    this.#parts = parts
    this.#campaign = campaign
    this.#run = run
    this.#node = node
  }

  /** Called when the campaign changed. */
  wake(): void {
    this.#isWoken = true
    this.#readAt = 0
    this.#wake.resolve()
  }

  /** Whether a change arrived after the last step started. */
  get isWoken(): boolean {
    return this.#isWoken
  }

  /** Stops claiming; `drive` resolves when the claims are answered, or after a time limit. */
  stop(): void {
    this.#isStopped = true
    this.wake()
  }

  /** Resolves when there is nothing to do now. Never throws. */
  async drive(): Promise<void> {
    try {
      await this.#drive()
    } catch (error) {
      if (!(error instanceof WrongRevision)) this.#parts.failed(error)
    } finally {
      await this.#batch?.settled().catch(() => undefined)
    }
  }

  async #drive(): Promise<void> {
    const { store, index, now } = this.#parts
    const log = await index.writerOf(store, runStream(this.#run))
    const known = index.queries.run(this.#run)
    if (known !== undefined) await this.#takeOver(log, known)
    while (!this.#isStopped) {
      this.#isWoken = false
      const state = await this.#state()
      if (state === undefined) return
      const step = await this.#step(log, state)
      if (step === undefined) return
      const until = now() + step.wait
      const timer = pause(Math.min(step.wait, FRESH_MS), undefined, { ref: false })
      await Promise.race([timer, this.#wake.promise])
      this.#wake = Promise.withResolvers()
      if (now() < until && this.#isStopped) return
    }
  }

  /** From now on no other node can write to the run; its unanswered claims are recorded as lost. */
  async #takeOver(log: ExclusiveWriter, { seq }: RunRow): Promise<void> {
    await log.write([{ type: 'RunTaken', data: { node: this.#node } }, ...this.#lost(seq)])
  }

  /** Unanswered claims that no node sends any more. */
  #lost(seq: number) {
    const unknown = this.#parts.index.queries.unanswered(seq).map(([n, tries]) => [n, tries, 'lost'])
    return unknown.length === 0 ? [] : [{ type: 'SendsAnswered', data: { accepted: [], refused: [], unknown } }]
  }

  async #state(): Promise<CampaignState | undefined> {
    const fields = await this.#parts.commands.openFields('campaign', this.#campaign)
    return fields === undefined || fields.run !== this.#run ? undefined : { id: this.#campaign, fields }
  }

  async #step(log: ExclusiveWriter, state: CampaignState): Promise<Step> {
    const status = fieldText(state.fields, 'run_status')
    const run = this.#parts.index.queries.run(this.#run)
    if (ONGOING.has(status) && run?.isOpened !== true) {
      const isInterrupted = () => this.#isStopped || this.#isWoken
      const planned = await planRun(this.#parts, log, this.#run, state, isInterrupted).catch(error => {
        if (error instanceof SegmentUnknown) return 'gone' as const
        throw error
      })
      if (planned !== 'interrupted')
        await this.#tell(planned === 'planned' ? 'running' : 'paused', planned === 'planned' ? null : 'gone')
      return { wait: 0 }
    }
    if (run?.state != null) {
      await this.#tell(run.state, null)
      return undefined
    }
    if (status === 'pausing') {
      await this.#batch?.settled()
      await this.#tell('paused', null)
      return undefined
    }
    if (status === 'cancelling') return this.#end(log, 'cancelled')
    if (run === undefined || (status !== 'paused' && !ONGOING.has(status))) return undefined
    if (Date.parse(run.plan.expires) <= this.#parts.now()) return this.#end(log, 'expired')
    if (status === 'paused') return undefined
    const winner = winnerIn(state.fields)
    if (run.plan.comparison !== undefined && run.winner === null && winner !== null) {
      await log.write([{ type: 'WinnerChosen', data: { winner } }])
      return { wait: 0 }
    }
    return this.#send(log, run)
  }

  async #end(log: ExclusiveWriter, state: 'cancelled' | 'expired' | 'completed'): Promise<Step> {
    await this.#batch?.settled()
    // A run that was cancelled before its planning does not exist.
    const run = this.#parts.index.queries.run(this.#run)
    // An answer that could not be written counts as unknown.
    if (run !== undefined) await log.write([...this.#lost(run.seq), { type: 'RunEnded', data: { state } }])
    await this.#tell(state, null)
    return undefined
  }

  async #send(log: ExclusiveWriter, run: RunRow): Promise<Step> {
    const { index, now } = this.#parts
    const began = performance.now()
    const fault = await this.#prepare(log, run)
    const reason = fault ?? this.#batch?.stopReason
    if (reason !== undefined || this.#batch === undefined) {
      await this.#batch?.settled()
      await this.#tell('paused', reason ?? 'gone')
      return undefined
    }
    const room = this.#room(run)
    if (room.count === 0) return this.#wait(room.until, room.reason)
    const due = index.queries.due(run.seq, now(), room.count)
    if (due.length === 0) return this.#idle(log, run)
    const choice = await chooseRecipients(this.#parts, run, due)
    for (const [n, until, why] of choice.later) {
      index.postpone(run.seq, n, until)
      if (why !== 'pair') this.#waits.set(n, why)
    }
    if (choice.settled.length > 0) await log.write([{ type: 'RecipientsSettled', data: { rows: choice.settled } }])
    const bucket = this.#parts.bucketOf(run.plan.number)
    const most = campaignRate(run.plan.settings.rate, this.#batch.opened?.account)
    const taken = bucket.take(choice.send.length, most, now())
    if (taken > 0) {
      await this.#tell('running', null)
      this.#limit.room -= taken
      await this.#batch.send(choice.send.slice(0, taken))
    }
    const wait = taken === due.length ? FULL_BATCH_MS - (performance.now() - began) : BATCH_MS
    return { wait: Math.max(0, wait) }
  }

  /** Reads the template and sender of the run. Returns the reason why it cannot continue. */
  async #prepare(log: ExclusiveWriter, run: RunRow): Promise<string | undefined> {
    const { commands, senders, now } = this.#parts
    if (this.#batch !== undefined && now() - this.#readAt < FRESH_MS) return undefined
    const { plan } = run
    const opened = await senders.open(planSource(plan))
    if (opened === undefined) return 'gone'
    // Of a comparison the loser is not needed any more.
    const [a, b] = [plan.template.id, plan.comparison?.template.id]
    for (const id of [run.winner === 'b' ? undefined : a, run.winner === 'a' ? undefined : b]) {
      const template = id === undefined ? undefined : await commands.openFields('template', id)
      if (id !== undefined && template === undefined) return 'gone'
      if (template !== undefined && !isSendableThere(template)) return 'template'
    }
    this.#readAt = now()
    this.#batch ??= new SendBatch(this.#parts, log, run)
    this.#batch.opened = opened
    return undefined
  }

  /** Number of messages that may be claimed now, and if 0: until when (ms), and why. */
  #room(run: RunRow): { readonly count: number; readonly until: number; readonly reason: string } {
    const { index, now } = this.#parts
    const time = now()
    const inFlight = this.#batch?.inFlight ?? 0
    const free = Math.min(MAX_BATCH, MAX_IN_FLIGHT - inFlight)
    if (free <= 0) return { count: 0, until: time + BATCH_MS, reason: 'backoff' }
    this.#isWarm ||= run.plan.settings.warmup === false || !index.queries.hasAtLeast(run.seq, WARMUP_FROM)
    if (!this.#isWarm) {
      const { claims, at } = index.queries.begun(run.seq, WARMUP)
      if (claims < WARMUP) return this.#withLimit(run, Math.min(free, WARMUP - claims))
      if (time < at + WARMUP_MS) return { count: 0, until: at + WARMUP_MS, reason: 'warmup' }
      this.#isWarm = true
    }
    return this.#withLimit(run, free)
  }

  #withLimit(run: RunRow, free: number) {
    const time = this.#parts.now()
    if (time - this.#limit.at >= LIMIT_MS)
      this.#limit = { ...portfolioRoom(this.#parts, run, this.#batch?.opened?.account), at: time }
    const { room, until } = this.#limit
    return { count: Math.max(0, Math.min(free, room)), until, reason: 'limit' }
  }

  /** Handles a run with nothing due: ends it, or waits for answers or for the next due time. */
  async #idle(log: ExclusiveWriter, run: RunRow): Promise<Step> {
    const { index, now } = this.#parts
    if ((this.#batch?.inFlight ?? 0) > 0) return { wait: BATCH_MS / 2 }
    await this.#batch?.settled()
    if (this.#batch?.stopReason !== undefined) return { wait: 0 }
    const next = index.queries.nextDue(run.seq)
    if (next === undefined) return this.#end(log, 'completed')
    if (next <= now()) return { wait: 0 }
    if (next === NEVER_DUE) return this.#wait(Date.parse(run.plan.expires), 'winner')
    const reason = next - now() > 60_000 ? [...this.#waits.values()].at(-1) : undefined
    return this.#wait(next, reason ?? 'backoff')
  }

  async #wait(until: number, reason: string): Promise<Step> {
    const wait = Math.max(20, until - this.#parts.now())
    if (wait > SHOWN_WAIT_MS) await this.#tell('waiting', reason)
    return { wait }
  }

  #told = ''
  #isWarm = false
  /** Number of further people that may be reached: the value read at `at`, minus later claims. */
  #limit = { room: 0, until: 0, at: 0 }

  /** Records the state of the run in its campaign. */
  async #tell(status: string, reason: string | null): Promise<void> {
    const key = `${status} ${reason}`
    if (this.#told === key && (status === 'running' || status === 'waiting')) return
    const input: JsonObject = { run: this.#run, status, reason }
    const command = { entity: 'campaign', action: 'record', id: this.#campaign, input }
    const outcome = await this.#parts.commands.execute(systemCommand(command))
    if (!outcome.ok && outcome.refusal.code !== 'entity.notfound')
      throw new Error(`a run could not be told of: ${outcome.refusal.code}`)
    this.#told = key
  }
}
