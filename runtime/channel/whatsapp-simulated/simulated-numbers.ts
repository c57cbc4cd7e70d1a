import { createHmac, randomUUID } from 'node:crypto'
import type { Commands } from '#commands/command-handler.ts'
import type { Keys } from '#commands/keys/secret.ts'
import type { Draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import {
  BLOCKS_UNTIL_PAUSE,
  clockAt,
  qualityAfter,
  SIMULATED_MODE,
  SIMULATED_TIERS,
  type SimulatedClock,
  simulatedNow,
} from '#domain/campaign/simulated-number.ts'
import type { ReadModels } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { simulatedStream } from '#schemas/events/campaign.ts'
import { fieldText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { exclusiveDrafts, type StreamAggregate, streamAggregate } from '../../log/stream-aggregate.ts'
import type { OutboundAnswer, OutboundRequest } from '../../outbound/call.ts'
import { SIMULATED_GRAPH_HOST } from '../shared/graph.ts'
import { changeBody, graphErrorBody } from '../whatsapp-cloud/graph-wire.ts'
import type { GraphCall, SimulatedAccount, SimulatedGraph } from './simulated-graph.ts'
import {
  blocksOf,
  foldSimulated,
  INITIAL_STATE,
  type PendingStep,
  type PhoneMessage,
  personaIn,
  type SimulatedFact,
  type SimulatedState,
  WINDOW_MS,
} from './simulated-state.ts'

const MAX_ACCOUNTS = 100
/** Pause until another look where other nodes have steps, and after an error, ms. */
const LOOK_MS = 5000
/** Pause after a webhook call that was not answered with 200. */
const AGAIN_MS = 1000
/** Steps that are due within this time are sent with one webhook call. */
const COLLECT_MS = 100
/** Changes of one webhook call. */
const MAX_TOGETHER = 100
/** Overdue work of a process that other nodes take over, ms of real time. */
const ABANDONED_MS = 60_000
const HOUR_MS = 3_600_000
const PAUSE_MS = 3 * HOUR_MS

/** Calls the gateway's own webhook. Resolves to the status of the answer. */
type PostWebhook = (path: string, headers: Readonly<Record<string, string>>, body: string) => Promise<number>

interface SimulatedNumbersParts {
  /** The log of conversations. */
  readonly log: () => Promise<EventStore>
  readonly keys: Pick<Keys, 'secret'>
  readonly commands: Pick<Commands, 'openFields'>
  readonly read: Pick<ReadModels, 'list' | 'onTouched'>
  readonly post: PostWebhook
  readonly isShared: boolean
  readonly failed: (error: unknown) => void
}

/** Act of a user on a persona's phone. */
export type PhoneAct =
  | { readonly do: 'say'; readonly text: string }
  /** `button`: place among the buttons of the message. */
  | { readonly do: 'press'; readonly message: string; readonly button: number }
  | { readonly do: 'place' | 'picture' | 'read' | 'block' | 'unblock' | 'wait' }

/** Receipts of messages that a persona has not read. */
const unreadSteps = (messages: readonly PhoneMessage[], persona: number, at: number, node: string): PendingStep[] =>
  messages
    .filter(({ from, status }) => from === 'business' && status !== 'read' && status !== 'failed')
    .map(({ id }) => ({
      ...{ id: `${id}/read-${randomUUID()}`, at, node, persona },
      ...({ kind: 'status', message: id, status: 'read' } as const),
    }))

type Aggregate = StreamAggregate<SimulatedState, Draft>

/** The simulated numbers of an installation: Meta's side of them, and the phones of their personas. */
export class SimulatedNumbers {
  readonly #node = randomUUID()
  readonly #isOn: boolean
  readonly #now: () => number
  readonly #busy = new Set<string>()
  /** Real time of the next look at an account, ms since 1970; an account without one is looked at now. */
  readonly #looks = new Map<string, number>()
  #graph: SimulatedGraph | undefined
  #parts: SimulatedNumbersParts | undefined
  #aggregate: Promise<Aggregate> | undefined
  #accounts: Promise<readonly SimulatedAccount[]> | undefined
  #timer: NodeJS.Timeout | undefined
  #stopListening: (() => void) | undefined
  #isClosed = false

  constructor({ isOn, now = Date.now }: { readonly isOn: boolean; readonly now?: () => number }) {
    this.#isOn = isOn
    this.#now = now
  }

  get isOn(): boolean {
    return this.#isOn
  }

  /** Called once the gateway listens; work that waits begins. */
  connect(parts: SimulatedNumbersParts): void {
    this.#parts = parts
    if (!this.#isOn) return
    this.#stopListening = parts.read.onTouched(['metaaccount', 'metaapp'], () => {
      this.#accounts = undefined
      this.#looks.clear()
      this.#lookIn(LOOK_MS)
    })
    this.#lookIn(0)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#stopListening?.()
  }

  /**
   * Answers a call to the double's address; undefined for every other address. No such call leaves the process, also
   * when simulated numbers are off.
   */
  answer(request: OutboundRequest): Promise<Result<OutboundAnswer>> | undefined {
    const url = URL.parse(request.url)
    return url?.hostname === SIMULATED_GRAPH_HOST ? this.#answer(request, url) : undefined
  }

  async accounts(): Promise<readonly SimulatedAccount[]> {
    if (!this.#isOn) return []
    const reading = this.#accounts ?? this.#readAccounts()
    this.#accounts = reading
    reading.catch(() => {
      if (this.#accounts === reading) this.#accounts = undefined
    })
    return reading
  }

  async account(id: string): Promise<SimulatedAccount | undefined> {
    return (await this.accounts()).find(account => account.id === id)
  }

  async state(account: string): Promise<SimulatedState> {
    const aggregate = await this.#states()
    const stream = simulatedStream(account)
    return this.#connected().isShared ? aggregate.refresh(stream) : aggregate.load(stream)
  }

  /** Time of an account's simulated clock, ms since 1970. */
  simulatedTime(state: SimulatedState): number {
    return simulatedNow(this.#clockOf(state), this.#now())
  }

  speedOf(state: SimulatedState): number {
    return this.#clockOf(state).speed
  }

  async setSpeed(account: string, speed: number): Promise<void> {
    await this.#write(account, state => {
      const clock = this.#clockOf(state)
      return clock.speed === speed ? [] : [{ do: 'clock', clock: clockAt(clock, this.#now(), speed) }]
    })
  }

  /** Raises the messaging limit by one tier. */
  async raiseTier(account: string): Promise<void> {
    await this.#write(account, state => {
      const next = SIMULATED_TIERS[SIMULATED_TIERS.indexOf(state.tier) + 1]
      if (next === undefined) return []
      const steps: readonly PendingStep[] = [{ ...this.#stepNow(state), kind: 'number', event: 'UPGRADE' }]
      return [
        { do: 'tier', tier: next },
        { do: 'planned', steps },
      ]
    })
  }

  /** Does something on a persona's phone. */
  async act(account: string, persona: number, act: PhoneAct): Promise<Result<void>> {
    let isPossible = true
    await this.#write(account, state => {
      const facts = this.#factsOf(state, persona, act)
      isPossible = facts !== undefined
      return facts ?? []
    })
    return isPossible ? accepted(undefined) : refused('entity.notfound')
  }

  #factsOf(state: SimulatedState, persona: number, act: PhoneAct): readonly SimulatedFact[] | undefined {
    const { messages, isBlocked, waited } = personaIn(state, persona)
    const at = this.simulatedTime(state)
    const say = (message: Omit<PhoneMessage, 'id' | 'time' | 'from'>): readonly SimulatedFact[] => {
      const said = { id: `wamid.SIMULATED${randomUUID()}`, time: this.#now(), from: 'persona' as const, ...message }
      const read = unreadSteps(messages, persona, at, this.#node)
      const steps: readonly PendingStep[] = [...read, { ...this.#stepNow(state), kind: 'said', persona, message: said }]
      return [{ do: 'said', persona, message: said, at: at + waited, steps }]
    }
    switch (act.do) {
      case 'say':
        return say({ kind: 'text', text: act.text })
      case 'press': {
        const pressed = messages.find(({ id, from }) => id === act.message && from === 'business')
        const button = pressed?.buttons?.[act.button]
        if (pressed === undefined || button?.id === undefined) return undefined
        const kind = pressed.kind === 'template' ? 'button' : pressed.kind === 'list' ? 'list' : 'buttons'
        return say({ kind, text: button.title, replyTo: pressed.id, buttons: [button] })
      }
      case 'place':
        return say({ kind: 'place', text: '' })
      case 'picture':
        return say({ kind: 'picture', text: '' })
      case 'read': {
        const steps = unreadSteps(messages, persona, at, this.#node)
        return steps.length === 0 ? [] : [{ do: 'planned', steps }]
      }
      case 'block':
        return isBlocked ? [] : this.#blockFacts(state, persona)
      case 'unblock':
        return isBlocked ? [{ do: 'persona', persona, isBlocked: false }] : []
      case 'wait':
        return [{ do: 'persona', persona, waited: WINDOW_MS }]
      default:
        return act satisfies never
    }
  }

  /** A block counts for the template that came last: three pause it, and the quality of the number falls. */
  #blockFacts(state: SimulatedState, persona: number): readonly SimulatedFact[] {
    const facts: SimulatedFact[] = [{ do: 'persona', persona, isBlocked: true }]
    const last = personaIn(state, persona).messages.findLast(({ template }) => template !== undefined)
    const template = state.templates.get(last?.template ?? '')
    if (template === undefined) return facts
    const blocked = { ...template, blocks: template.blocks + 1 }
    facts.push({ do: 'template', template: blocked })
    const steps: PendingStep[] = []
    if (qualityAfter(blocksOf(state)) !== qualityAfter(blocksOf(state) + 1))
      steps.push({ ...this.#stepNow(state), kind: 'number', event: 'FLAGGED' })
    if (blocked.blocks === BLOCKS_UNTIL_PAUSE && template.status === 'APPROVED') {
      const own = { kind: 'template' as const, template: template.id }
      const step = this.#stepNow(state)
      steps.push({ ...step, ...own, status: 'PAUSED', reason: 'FIRST_PAUSE' })
      steps.push({ ...this.#stepNow(state), at: step.at + PAUSE_MS, ...own, status: 'APPROVED', reason: '' })
    }
    return steps.length === 0 ? facts : [...facts, { do: 'planned', steps }]
  }

  #stepNow(state: SimulatedState): Pick<PendingStep, 'id' | 'at' | 'node'> {
    return { id: randomUUID(), at: this.simulatedTime(state), node: this.#node }
  }

  #connected(): SimulatedNumbersParts {
    if (this.#parts === undefined) throw new Error('simulated numbers are used before they are connected')
    return this.#parts
  }

  #clockOf({ clock }: SimulatedState): SimulatedClock {
    const now = this.#now()
    return clock ?? { real: now, simulated: now, speed: 1 }
  }

  async #answer(request: OutboundRequest, url: URL): Promise<Result<OutboundAnswer>> {
    // Loaded on the first call: most installations have no simulated number.
    const { outboundAnswerOf, readGraphCall, SimulatedGraph } = await import('./simulated-graph.ts')
    // A call of the start comes before the webhook is there.
    if (this.#parts === undefined) return outboundAnswerOf({ fails: 'cut' }, request)
    const call = readGraphCall(request, url)
    const account = await this.#accountOf(call)
    this.#graph ??= new SimulatedGraph({
      now: this.#now,
      node: this.#node,
      state: id => this.state(id),
      write: (id, decide) => this.#write(id, decide),
      clock: state => this.#clockOf(state),
    })
    if (account !== undefined) return outboundAnswerOf(await this.#graph.answer(account, call), request)
    const text = this.#isOn ? 'Invalid OAuth access token' : 'Simulated numbers are off on this installation'
    return outboundAnswerOf({ status: 401, body: graphErrorBody(190, text) }, request)
  }

  /** The account whose token a call has: people of other levels enter the ids of their accounts as they like. */
  async #accountOf({ path: [first], query, authorization }: GraphCall): Promise<SimulatedAccount | undefined> {
    const token = first === 'debug_token' ? query.get('input_token') : authorization.replace(/^(?:Bearer|OAuth) /u, '')
    return (await this.accounts()).find(account => account.token !== '' && account.token === token)
  }

  async #readAccounts(): Promise<readonly SimulatedAccount[]> {
    const { read, commands } = this.#connected()
    const rows = await allRows(read, SYSTEM_SCOPE, 'metaaccount', { account_mode: SIMULATED_MODE })
    const found = await Promise.all(
      rows.map(async ({ id, metaapp, name }): Promise<SimulatedAccount | undefined> => {
        const fields = await commands.openFields('metaaccount', id)
        const app = await commands.openFields('metaapp', String(metaapp))
        if (fields === undefined || app === undefined) return undefined
        return {
          ...{ id, app: String(metaapp), name: String(name) },
          waba: fieldText(fields, 'waba_id'),
          phoneNumberId: fieldText(fields, 'phone_number_id'),
          appId: fieldText(app, 'app_id'),
          display: fieldText(fields, 'display_phone_number'),
          token: fieldText(fields, 'access_token'),
          secret: fieldText(app, 'app_client_secret'),
        }
      }),
    )
    return found.filter(account => account !== undefined)
  }

  #states(): Promise<Aggregate> {
    const opening = this.#aggregate ?? this.#openStates()
    this.#aggregate = opening
    opening.catch(() => {
      if (this.#aggregate === opening) this.#aggregate = undefined
    })
    return opening
  }

  async #openStates(): Promise<Aggregate> {
    const { log, keys } = this.#connected()
    const store = await log()
    return streamAggregate<SimulatedState>(store, {
      initial: INITIAL_STATE,
      limit: MAX_ACCOUNTS,
      async fold(state, { stream, data }: StoredEvent) {
        const facts = await keys.secret.decrypt(data.facts as JsonObject, stream)
        return (facts as unknown as readonly SimulatedFact[]).reduce(foldSimulated, state)
      },
    })
  }

  async #write(account: string, decide: (state: SimulatedState) => readonly SimulatedFact[]): Promise<SimulatedState> {
    const { keys } = this.#connected()
    const stream = simulatedStream(account)
    const state = await (await this.#states()).write(stream, async known => {
      const clock: readonly SimulatedFact[] =
        known.clock === undefined ? [{ do: 'clock', clock: this.#clockOf(known) }] : []
      const facts = decide(known)
      if (facts.length === 0) return []
      // Messages have values of contacts: the log shows none of them in clear.
      const sealed = await keys.secret.encrypt([...clock, ...facts] as unknown as Json, stream)
      return exclusiveDrafts(stream, [{ type: 'SimulatedNumberChanged', data: { facts: sealed } }])
    })
    this.#plan(account, this.#msUntilDue(state))
    return state
  }

  /** Pause before the next look, ms. A node without steps takes over those of ended nodes later. */
  #msUntilDue(state: SimulatedState): number {
    const steps = [...state.pending.values()]
    const dues = steps.filter(step => this.#isMine(step, state)).map(({ at }) => at)
    if (dues.length > 0) return Math.max(0, (Math.min(...dues) - this.simulatedTime(state)) / this.speedOf(state))
    if (steps.length > 0) return LOOK_MS
    return this.#connected().isShared ? ABANDONED_MS : Number.POSITIVE_INFINITY
  }

  /** Plans the next look at an account; an earlier one stays. */
  #plan(account: string, ms: number): void {
    const at = Math.min(this.#looks.get(account) ?? Number.POSITIVE_INFINITY, this.#now() + ms)
    this.#looks.set(account, at)
    this.#lookIn(ms)
  }

  /** Whether this node does it: it took the message, or its node does not exist any more. */
  #isMine({ node, at }: PendingStep, state: SimulatedState): boolean {
    const { isShared } = this.#connected()
    return node === this.#node || !isShared || this.simulatedTime(state) - at > ABANDONED_MS * this.speedOf(state)
  }

  #nextLook = Number.POSITIVE_INFINITY

  /** Looks for due work after `ms`, unless an earlier look is planned. */
  #lookIn(ms: number): void {
    // `ms` may be infinite, and no timer takes that.
    const at = this.#now() + Math.min(Math.max(ms, COLLECT_MS), HOUR_MS)
    if (this.#isClosed || !this.#isOn || at >= this.#nextLook) return
    clearTimeout(this.#timer)
    this.#nextLook = at
    this.#timer = setTimeout(() => {
      this.#nextLook = Number.POSITIVE_INFINITY
      void this.#look().catch(this.#connected().failed)
    }, at - this.#now()).unref()
  }

  /** Looks at the accounts whose moment has come; the others are not even read. */
  async #look(): Promise<void> {
    try {
      const accounts = await this.accounts()
      const now = this.#now()
      const due = accounts.filter(({ id }) => (this.#looks.get(id) ?? 0) <= now)
      for (const { id } of due) this.#looks.delete(id)
      await Promise.all(due.map(account => this.#fire(account)))
      const next = Math.min(...accounts.map(({ id }) => this.#looks.get(id) ?? now + LOOK_MS))
      this.#lookIn(next - this.#now())
    } catch (error) {
      this.#lookIn(LOOK_MS)
      throw error
    }
  }

  /** Sends the due steps of an account to its webhook, and plans the next look at it. */
  async #fire(account: SimulatedAccount): Promise<void> {
    if (this.#busy.has(account.id)) return
    this.#busy.add(account.id)
    try {
      const state = await this.state(account.id)
      const now = this.simulatedTime(state)
      const due = [...state.pending.values()]
        .filter(step => step.at <= now && this.#isMine(step, state))
        .toSorted((one, other) => one.at - other.at)
        .slice(0, MAX_TOGETHER)
      if (due.length === 0) return this.#plan(account.id, this.#msUntilDue(state))
      // Until it is heard the next look sends the same events again, which have the same ids.
      if (!(await this.#post(account, state, due))) return this.#plan(account.id, AGAIN_MS)
      await this.#write(account.id, () => [{ do: 'fired', steps: due.map(({ id }) => id), at: now, time: this.#now() }])
    } finally {
      this.#busy.delete(account.id)
    }
  }

  async #post(account: SimulatedAccount, state: SimulatedState, due: readonly PendingStep[]): Promise<boolean> {
    const { changesOf } = await import('./webhook-changes.ts')
    for (const { value, field } of changesOf(account, state, due, this.#now())) {
      const body = JSON.stringify(changeBody(account, value, field))
      const signature = `sha256=${createHmac('sha256', account.secret).update(body).digest('hex')}`
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
      const status = await this.#connected().post(`/meta/${account.app}/webhook`, headers, body)
      if (status !== 200) return false
    }
    return true
  }
}
