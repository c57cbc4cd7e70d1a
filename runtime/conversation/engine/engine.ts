import { setTimeout as pause } from 'node:timers/promises'
import { maskedHolder } from '#commands/keys/secret.ts'
import { StoreUnavailable } from '#commands/store/port.ts'
import { type Span, type Tracer, traced } from '#commands/tracer.ts'
import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import type { Release, TurnSettings } from '#domain/conversation/release.ts'
import type { TurnResult } from '#domain/conversation/run-turn.ts'
import type { Json } from '#schemas/event.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import type { TurnOptOut } from '../../campaign/optout/opt-outs.ts'
import { WorkDropped } from '../../isolation/pooled-work.ts'
import { isExpired, LeaseTerm } from '../../log/lease.ts'
import type { ConversationLog } from '../store/log.ts'
import { agentFact, type Fact, partEndFact, ratingFacts, turnFact, turnResult } from './conversation-facts.ts'
import { clockInput } from './fold.ts'
import { type FoldedConversation, type Pending, streamOf, type Words } from './folded-conversation.ts'
import { endByOptOut, runToEnd, TurnTrace } from './run-turn.ts'

/** Of the claim of a turn, which is renewed while the turn runs. */
const TERM = new LeaseTerm(30_000)
/** ms that running turns get at shutdown. */
const STOP_MS = 2_000
/** Characters of the hash of a conversation in traces. */
const HASH_LENGTH = 16
/** ms until a write that the store refused is retried. */
const AGAIN_MS = 1_000
/** ms during which a turn is retried whose input could not be heard as an opt-out; then it runs without. */
const HEARING_MS = 600_000

/** Dependencies of one turn. */
export interface TurnDependencies {
  readonly release: Release
  readonly settings: TurnSettings
  readonly perform: (effect: Effect) => Promise<EffectAnswer>
}

interface EngineOptions {
  /** Id of this process; another process on the same machine has another id. */
  readonly node: string
  readonly log: ConversationLog
  readonly words: Words
  /** Hex HMAC under the index key of the nodes. */
  readonly hmac: (text: string) => string
  /** Undefined: the bot or its release no longer exists. */
  readonly turnWith: (held: FoldedConversation) => Promise<TurnDependencies | undefined>
  /** Data that moves it to another release before a turn, if the bot was restarted. */
  readonly move: (held: FoldedConversation) => Promise<Fact['data'] | undefined>
  /** Hears the input as a possible opt-out; undefined: it is none. */
  readonly optOut?: ((held: FoldedConversation, pending: Pending) => Promise<TurnOptOut | undefined>) | undefined
  /** `ms`: time from the begin of the turn until it is stored. */
  readonly turned: (held: FoldedConversation, result: TurnResult, ms: number) => void
  readonly failed: (error: unknown) => void
  /** Turns after which a conversation continues in another stream. */
  readonly partTurns: number
  readonly tracer?: Tracer | undefined
  readonly now?: () => number
}

/** Another node has the claim of this turn: nothing of the turn is written. */
class LostClaim extends Error {
  override readonly name = 'LostClaim'
}

/** The log holds more of this turn than its run knows, such as an append that was written although it timed out. */
class TurnOvertaken extends Error {
  override readonly name = 'TurnOvertaken'
}

/** The input could not be heard as an opt-out. */
class Unheard extends Error {
  override readonly name = 'Unheard'
}

/** Errors after which the turn runs again: it has written nothing. */
const NOT_OF_FLOW = [LostClaim, TurnOvertaken, StoreUnavailable, WorkDropped, Unheard]

/** A turn while it runs on this node. */
interface TurnRun {
  /** Key of the last call in the log that this run knows. */
  asked: string | undefined
}

const INTERNAL: TurnResult['failed'] = { limit: 'effects', block: null, loop: [] }

/** Effects of turns that run without a claim: they change nothing outside, and end soon. */
const UNCLAIMED: ReadonlySet<Effect['kind']> = new Set(['evaluate', 'holiday'])

const reportTurn = (span: Span, id: string, result: TurnResult): void => {
  const outcome = turnResult(result)
  span.set({ 'parley.outcome': outcome, 'parley.steps': result.steps.length })
  if (outcome !== 'done') span.fail(outcome)
  for (const message of result.said) span.keep(`${id} ${message.id}`)
}

/** Runs the turns of conversations claimed by this node, one at a time in each conversation. */
export class ConversationEngine {
  readonly #options: EngineOptions
  readonly #running = new Map<string, Promise<void>>()
  /** Times of the inputs that turns of this node answer, ms since 1970. */
  readonly #waiting = new Map<string, number>()
  #stopped = false

  constructor(options: EngineOptions) {
    this.#options = options
  }

  now(): number {
    return this.#options.now?.() ?? Date.now()
  }

  /** A claim of this node for the next turn. */
  claim(): Claim {
    return TERM.grant(this.#options.node, this.now())
  }

  /** True when no node has a valid claim, as far as its stream shows. */
  isFree({ claim }: FoldedConversation): boolean {
    return claim === undefined || isExpired(claim, this.now())
  }

  isRunning(id: string): boolean {
    return this.#running.has(id)
  }

  /**
   * Runs waiting inputs if this node has the claim. Never throws.
   * @param written the conversation as it was written last; with it, `oldest` counts its input at once
   * @param isTakenOver its turn was begun elsewhere
   */
  run(id: string, written?: FoldedConversation, isTakenOver = false): Promise<void> {
    const running = this.#running.get(id)
    if (running !== undefined || this.#stopped) return running ?? Promise.resolve()
    const [pending] = written?.inbox ?? []
    if (pending !== undefined) this.#waiting.set(id, pending.time)
    const mine = this.#runAll(id, isTakenOver)
      .catch(error => {
        const isRetried = error instanceof StoreUnavailable || error instanceof Unheard
        if (!isRetried) this.#waiting.delete(id)
        if (error instanceof LostClaim || error instanceof WorkDropped) return
        this.#options.failed(error)
        // This node still has the claim, unless another node took over the turn meanwhile.
        if (isRetried) setTimeout(() => void this.run(id), AGAIN_MS).unref()
      })
      .finally(() => this.#running.delete(id))
    this.#running.set(id, mine)
    return mine
  }

  /** Time of the oldest input that a turn of this node answers, ms since 1970. */
  oldest(): number | undefined {
    return this.#waiting.size === 0 ? undefined : Math.min(...this.#waiting.values())
  }

  /** Inputs whose turns run on this node. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Resolves when no turn runs here, or after `ms`: another node, or the next start, continues the rest. */
  async stop(ms = STOP_MS): Promise<void> {
    this.#stopped = true
    const late = new Promise(done => setTimeout(done, ms).unref())
    await Promise.race([Promise.all(this.#running.values()), late])
  }

  async #runAll(id: string, isTakenOver: boolean): Promise<void> {
    let takenOver = isTakenOver
    for (let held = await this.#options.log.load(id); !this.#stopped; takenOver = false) {
      const [pending] = held?.inbox ?? []
      if (held === undefined || pending === undefined || held.claim?.node !== this.#options.node) {
        this.#waiting.delete(id)
        return
      }
      this.#waiting.set(id, pending.time)
      try {
        held = await this.#tracedTurn(held, pending, takenOver)
      } catch (error) {
        if (!(error instanceof TurnOvertaken)) throw error
        held = await this.#options.log.load(id)
      }
    }
  }

  /** Retries until the store takes the write, so that an outage does not repeat the effects of a turn. */
  async #write(
    id: string,
    decide: (held: FoldedConversation | undefined) => Promise<readonly Fact[]> | readonly Fact[],
  ): Promise<FoldedConversation | undefined> {
    for (;;) {
      try {
        return await this.#options.log.write(id, decide)
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || this.#stopped) throw error
        this.#options.failed(error)
        await pause(AGAIN_MS, undefined, { ref: false })
      }
    }
  }

  /**
   * Checks that this node may still write the turn that answers `pending`, and that no other run of it made calls that
   * `run` does not know; returns the conversation.
   * @throws LostClaim, TurnOvertaken
   */
  #answering(now: FoldedConversation | undefined, pending: Pending, run?: TurnRun): FoldedConversation {
    if (now === undefined || now.ended !== undefined || now.claim?.node !== this.#options.node) throw new LostClaim()
    if (now.inbox[0]?.revision !== pending.revision) throw new TurnOvertaken()
    if (run !== undefined && now.recorded?.asked.key !== run.asked) throw new TurnOvertaken()
    return now
  }

  /** On the next message of its person, moves a conversation to the release that the bot was restarted with. */
  async #moved(held: FoldedConversation, pending: Pending): Promise<FoldedConversation> {
    if (pending.from.kind !== 'message' || held.recorded !== undefined || held.state.status === 'agent') return held
    const data = await this.#options.move(held)
    if (data === undefined) return held
    const fact: Fact = { type: 'ConversationMoved', data, cause: `${held.id} moved ${data.release}`, time: this.now() }
    const { release } = held
    const written = await this.#options.log.write(held.id, now =>
      this.#answering(now, pending).release === release ? [fact] : [],
    )
    return written ?? held
  }

  /** Runs work in the span of a turn, which follows that of its message. */
  #spanned<T>(held: FoldedConversation, pending: Pending, work: (span: Span) => Promise<T>): Promise<T> {
    const { tracer, hmac } = this.#options
    const { from } = pending
    const message = from.kind === 'message' ? { follows: `${held.channel} ${from.sent.id}` } : {}
    return traced(tracer, 'parley.turn', { trace: 'begins', ...message }, span => {
      if (tracer?.isOn === true)
        span.set({
          ...{ 'parley.bot': held.bot, 'parley.channel.type': held.channelType, 'parley.release': held.release },
          ...{ 'parley.turn': held.state.turns + 1, 'parley.conversation': hmac(held.id).slice(0, HASH_LENGTH) },
        })
      return work(span)
    })
  }

  #tracedTurn(
    held: FoldedConversation,
    pending: Pending,
    isTakenOver: boolean,
  ): Promise<FoldedConversation | undefined> {
    return this.#spanned(held, pending, async span => {
      const attributes = { 'parley.taken_over': isTakenOver }
      const moved = await traced(this.#options.tracer, 'parley.claim', { attributes }, () => this.#moved(held, pending))
      span.set({ 'parley.release': moved.release })
      return this.#runTurn(moved, pending, span)
    })
  }

  #given(held: FoldedConversation): Promise<TurnDependencies | undefined> {
    const { tracer, turnWith } = this.#options
    return traced(tracer, 'parley.settings', { attributes: { 'parley.cached': true } }, () => turnWith(held))
  }

  async #runTurn(held: FoldedConversation, pending: Pending, span: Span): Promise<FoldedConversation | undefined> {
    const { log, tracer } = this.#options
    const began = performance.now()
    const given = await this.#given(held)
    if (given === undefined) {
      const time = this.now()
      return log.write(held.id, now =>
        now === undefined || now.ended !== undefined
          ? []
          : [{ type: 'ConversationEnded', data: { reason: 'bot' }, cause: `${held.id} ended`, time }],
      )
    }
    const run = { asked: held.recorded?.asked.key }
    const result = await TERM.renewing(
      () => this.#renew(held.id),
      this.#options.failed,
      () => this.#result(held, pending, given, run, span),
    )
    reportTurn(span, held.id, result)
    const written = await traced(tracer, 'parley.append', {}, appending =>
      this.#writeTurn(held, pending, { ...given, ...run }, result, appending),
    )
    return written === undefined ? undefined : this.#stored(written, result, began)
  }

  /** Called after a turn was stored. */
  async #stored(written: FoldedConversation, result: TurnResult, began: number): Promise<FoldedConversation> {
    const { words, turned } = this.#options
    turned(written, result, performance.now() - began)
    if (written.ended !== undefined && written.state.masked.length > 0) await words.drop(maskedHolder(written.id))
    return written
  }

  #writeTurn(
    { id }: FoldedConversation,
    pending: Pending,
    given: TurnDependencies & TurnRun,
    result: TurnResult,
    span: Span,
  ): Promise<FoldedConversation | undefined> {
    let isTried = false
    return this.#write(id, async latest => {
      // An append that the store refused at first may have been written.
      if (isTried && latest?.inbox.every(({ revision }) => revision !== pending.revision)) return []
      const now = this.#answering(latest, pending, given)
      isTried = true
      return this.#turnFacts(now, pending, given, result, span)
    })
  }

  async #turnFacts(
    held: FoldedConversation,
    pending: Pending,
    given: TurnDependencies,
    result: TurnResult,
    span: Span,
  ): Promise<readonly Fact[]> {
    const { words, tracer, hmac, partTurns } = this.#options
    const claim = held.inbox.length > 1 ? this.claim() : undefined
    const { endTimeout } = given.settings
    const facts = { held, pending, result, claim, endTimeout, now: this.now() }
    const turn = [
      ...(await ratingFacts(facts, words)),
      await turnFact(facts, words),
      ...(await agentFact(facts, words, hmac)),
    ]
    if (tracer?.isOn === true)
      span.set({ 'parley.events': turn.length, 'parley.bytes': JSON.stringify(turn.map(({ data }) => data)).length })
    // A chat with an agent must not span two parts.
    if (result.agent !== undefined || held.agent !== undefined || held.closing.length > 0) return turn
    const end = partEndFact(held, { result, answered: pending, partTurns, now: this.now() })
    return end === undefined ? turn : [...turn, end]
  }

  /**
   * Stores an input of the clock and the turn that answers it with one append, without a claim: at the revision of
   * `held` or not at all. Returns the conversation as it is then; undefined if the turn needs a claim, because it asks
   * for more than expressions, and then nothing is written.
   */
  async runUnclaimed(held: FoldedConversation, fact: Fact): Promise<FoldedConversation | undefined> {
    const { tail, inbox, ended, isFull } = held
    if (this.#stopped || ended !== undefined || isFull || inbox.length > 0 || !this.isFree(held)) return undefined
    const began = performance.now()
    const pending = clockInput(held, fact)
    return this.#spanned(held, pending, async span => {
      const given = await this.#given(held)
      if (given === undefined || held.tail !== tail) return undefined
      const turns = held.state.turns + 1
      const result = await this.#resultUnclaimed(held, pending, given, span)
      if (result === undefined) return undefined
      reportTurn(span, held.id, result)
      let isTried = false
      let isStored = false
      const written = await traced(this.#options.tracer, 'parley.append', {}, appending =>
        this.#write(held.id, async latest => {
          if (latest === undefined || latest.tail.hash !== tail.hash) {
            // An append that the store refused at first may have been written.
            isStored = isTried && latest !== undefined && latest.state.turns >= turns
            return []
          }
          isTried = true
          isStored = true
          return [fact, ...(await this.#turnFacts(latest, pending, given, result, appending))]
        }),
      )
      return written === undefined || !isStored ? written : this.#stored(written, result, began)
    })
  }

  async #resultUnclaimed(
    held: FoldedConversation,
    pending: Pending,
    given: TurnDependencies,
    span: Span,
  ): Promise<TurnResult | undefined> {
    const { tracer } = this.#options
    const refused = async () => Promise.reject(new Error('the turn needs a claim'))
    const perform = (effect: Effect) => (UNCLAIMED.has(effect.kind) ? given.perform(effect) : refused())
    const trace = tracer?.isOn === true ? new TurnTrace(tracer, span) : undefined
    // A turn that fails is run again under a claim.
    return runToEnd(held, pending, given, { request: refused, perform, trace }).catch(() => undefined)
  }

  /** Renews the claim of a turn that waits for calls. */
  async #renew(id: string): Promise<void> {
    const { log, node, tracer } = this.#options
    const claim = this.claim()
    const cause = `${id} renewed ${claim.until}`
    await traced(tracer, 'parley.claim', { attributes: { 'parley.taken_over': false } }, () =>
      log.write(id, held =>
        held === undefined || held.ended !== undefined || held.claim?.node !== node
          ? []
          : [{ type: 'ClaimTaken', data: { claim: { ...claim } }, cause, time: this.now() }],
      ),
    )
  }

  /** @throws Unheard, so that the turn is tried again and no opt-out is lost. */
  async #heard(held: FoldedConversation, pending: Pending): Promise<TurnOptOut | undefined> {
    try {
      return await this.#options.optOut?.(held, pending)
    } catch (error) {
      if (NOT_OF_FLOW.some(kind => error instanceof kind)) throw error
      if (this.now() - pending.time < HEARING_MS) throw new Unheard('an input was not heard', { cause: error })
      this.#options.failed(error)
      return undefined
    }
  }

  async #result(
    held: FoldedConversation,
    pending: Pending,
    given: TurnDependencies,
    run: TurnRun,
    span: Span,
  ): Promise<TurnResult> {
    const request = async (call: { readonly [name: string]: string | number }, answers: readonly EffectAnswer[]) => {
      const claim = { ...this.claim() }
      const turn = held.state.turns + 1
      const time = this.now()
      let isTried = false
      await this.#write(held.id, async latest => {
        const isWritten = isTried && latest?.recorded?.asked.key === call.key
        const now = this.#answering(latest, pending, isWritten ? undefined : run)
        if (isWritten) return []
        isTried = true
        const sealed = await this.#options.words.seal(held.person, answers as unknown as Json, streamOf(now))
        const data = { ...call, turn, kind: 'rest', answers: sealed, claim }
        return [{ type: 'EffectRequested', data, cause: `${held.id} ${turn} ${call.n}`, time }]
      })
      run.asked = String(call.key)
    }
    try {
      // A turn with recorded answers was given to the flow before.
      const heard = held.recorded === undefined ? await this.#heard(held, pending) : undefined
      if (heard !== undefined && !heard.toBot && held.state.status !== 'agent')
        return endByOptOut(held, pending, given, heard.reply)
      const { tracer } = this.#options
      const trace = tracer?.isOn === true ? new TurnTrace(tracer, span) : undefined
      return await runToEnd(held, pending, given, { request, perform: given.perform, trace })
    } catch (error) {
      if (NOT_OF_FLOW.some(kind => error instanceof kind)) throw error
      // A fault of the program, not of the flow, must not block the conversation.
      this.#options.failed(error)
      const { state } = held
      return {
        state: { ...state, frames: [], status: 'idle', turns: state.turns + 1 },
        said: [],
        steps: [],
        problems: [{ code: 'internal' }],
        ...(INTERNAL === undefined ? {} : { failed: INTERNAL }),
      }
    }
  }
}
