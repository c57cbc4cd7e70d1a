import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AnswerOf, Effect, EffectAnswer, EffectOf } from '#domain/conversation/effect.ts'
import type { TestGiven } from '#domain/conversation-test/test-schema.ts'
import type { Questions } from '#realtime/cluster/node-requests.ts'
import { json } from '#schemas/api/common.ts'
import type { Json } from '#schemas/event.ts'
import { type Result, refused } from '#schemas/refusal.ts'
import { type Outside, performEffect } from '../conversation/effect/perform-effect.ts'
import type { NluReasons } from '../nlu/open-nlu.ts'
import { restRequest } from '../outbound/rest-request.ts'
import type { LazyRelease } from './lazy-release.ts'
import type { Simulation } from './simulation.ts'

/** Source of the answers to calls of a simulation. */
type CallMode = 'ask' | 'sample' | 'real'

/** A call as shown to the user of the simulation. */
interface MadeCall {
  /** Counted from 1. */
  readonly turn: number
  readonly block: string
  readonly method: string
  readonly url: string
  readonly body?: string
  /** Absent while it waits for an answer. */
  readonly outcome?: string
  readonly ms?: number
}

/** A simulation of one user, on the node that started it. */
export interface ActiveSimulation {
  readonly id: string
  readonly user: string
  readonly bot: string
  readonly source: 'live' | 'published'
  readonly mode: CallMode
  readonly simulation: Simulation
  /** Its start conditions, in the form of a test. */
  readonly given: TestGiven
  readonly release: LazyRelease
  readonly outside: Outside
  readonly calls: MadeCall[]
  /** The bot's NLU project. */
  readonly nluproject: string | null
  /** Reasons why its model classifies a text as it does; undefined without a model. */
  readonly explain: (text: string) => Promise<NluReasons | undefined>
  /** The last answer to each block's call. */
  readonly samples: Map<string, AnswerOf<'rest'>>
  /** Whether calls that change data may be made for real: confirmed with the first of them. */
  mayChange: boolean
  /** ms since 1970 */
  used: number
  /** ms since 1970 of its last display: the time until the next input is the person's time. */
  shown: number
  /** The user has done something with it. */
  touched: boolean
  /** Set during a request: only one request at a time may run it. */
  busy: boolean
}

/**
 * Limit for one user; a further simulation evicts the least recently used one, preferring those without
 * any action of the user.
 */
const MAX_OF_ONE = 3
const LIFE_MS = 30 * 60_000

/** The simulations of a node. They are never stored. */
export class Simulations {
  readonly #held = new Map<string, ActiveSimulation>()
  readonly #mostOfOne: number

  constructor(mostOfOne = MAX_OF_ONE) {
    this.#mostOfOne = mostOfOne
  }

  add(held: ActiveSimulation, now: number): void {
    this.#forgetUnused(now)
    const mine = [...this.#held.values()]
      .filter(({ user }) => user === held.user)
      .sort((a, b) => Number(a.touched) - Number(b.touched) || a.used - b.used)
    for (const { id } of mine.slice(0, Math.max(0, mine.length - this.#mostOfOne + 1))) this.#held.delete(id)
    this.#held.set(held.id, held)
  }

  /** Undefined: unknown, of another user, or not used for half an hour. */
  get(id: string, user: string, now: number): ActiveSimulation | undefined {
    this.#forgetUnused(now)
    const held = this.#held.get(id)
    if (held?.user !== user) return undefined
    held.used = now
    return held
  }

  /** Removes a simulation only if it belongs to the user. */
  remove(id: string, user: string): void {
    if (this.#held.get(id)?.user === user) this.#held.delete(id)
  }

  #forgetUnused(now: number): void {
    for (const [id, { used }] of this.#held) if (now - used > LIFE_MS) this.#held.delete(id)
  }
}

/** Stop condition: before the next block, before one of these, or at the end of the turn. */
export type Until = { readonly kind: 'block' } | { readonly kind: 'end'; readonly at: readonly string[] }

const outcomeOf = (answer: AnswerOf<'rest'>): string =>
  answer.ok
    ? String(answer.status)
    : answer.error.status === undefined
      ? answer.error.code
      : String(answer.error.status)

const blockOf = ({ simulation }: ActiveSimulation): string => simulation.turns.at(-1)?.state.frames.at(-1)?.block ?? ''

/** The waiting call, as it would be sent. */
const shownCall = async (effect: EffectOf<'rest'>, held: ActiveSimulation): Promise<MadeCall> => {
  const { evaluator } = held.outside
  const [block, turn] = [blockOf(held), held.simulation.turns.length]
  const made = await restRequest(effect.properties, { evaluator, parser: effect.parser, values: effect.context })
  if (!made.ok) return { turn, block, method: '', url: '', outcome: 'expression' }
  const { method, url, body } = made.value
  return { turn, block, method, url, ...(body === undefined ? {} : { body }) }
}

const finish = (held: ActiveSimulation, answer: AnswerOf<'rest'>): void => {
  const last = held.calls.at(-1)
  if (last !== undefined && last.outcome === undefined) {
    held.calls[held.calls.length - 1] = { ...last, outcome: outcomeOf(answer), ms: answer.ms }
  }
  held.samples.set(blockOf(held), answer)
  held.simulation.answer(answer)
}

/** Makes the waiting call, or answers it with the given answer. */
export const answerCall = async (held: ActiveSimulation, given: AnswerOf<'rest'> | undefined): Promise<void> => {
  const effect = held.simulation.pending
  if (effect?.kind !== 'rest') return
  if (given === undefined && effect.changes) held.mayChange = true
  finish(held, given ?? ((await performEffect(effect, held.outside)) as AnswerOf<'rest'>))
}

/** Answers a call, or returns `waits` if it has to be answered by hand. */
const meetCall = async (held: ActiveSimulation, effect: EffectOf<'rest'>): Promise<'waits' | undefined> => {
  const block = blockOf(held)
  if (held.calls.at(-1)?.outcome !== undefined || held.calls.length === 0) {
    held.calls.push(await shownCall(effect, held))
  }
  const sample = held.mode === 'sample' ? held.samples.get(block) : undefined
  if (held.mode === 'real' && effect.changes && !held.mayChange) return 'waits'
  if (held.mode === 'ask' || (held.mode === 'sample' && sample === undefined)) return 'waits'
  await answerCall(held, sample)
  return undefined
}

const isStop = (effect: Effect, until: Until, moved: boolean): boolean => {
  if (effect.kind !== 'pause') return false
  return until.kind === 'block' ? moved : moved && until.at.includes(effect.block)
}

/** Loads parts that the running turn needs, until it waits for an answer or has ended. */
export const settle = async ({ simulation, release }: ActiveSimulation): Promise<Effect | undefined> => {
  for (let part = simulation.missing; part !== undefined; part = simulation.missing) {
    await release.load(part)
    simulation.retry()
  }
  return simulation.pending
}

/** Runs until the next stop, a call that waits for its answer, or the end of the turn. */
export const advance = async (held: ActiveSimulation, until: Until, isNew = false): Promise<void> => {
  const { simulation, outside } = held
  // A new turn is before its first block, and may stop there.
  let moved = isNew
  for (let effect = await settle(held); effect !== undefined; effect = await settle(held)) {
    if (isStop(effect, until, moved)) return
    if (effect.kind === 'rest') {
      if ((await meetCall(held, effect)) === 'waits') return
      continue
    }
    moved ||= effect.kind === 'pause'
    const answer: EffectAnswer = await performEffect(effect, outside)
    simulation.answer(answer)
  }
}

const NODE = /^([\da-f]{32})\./

const askedSchema = z.strictObject({
  act: z.string().max(50),
  /** Id of the bot of a new simulation, else of the simulation. */
  id: z.string().max(200),
  /** Id of the caller's session, or a link. */
  session: z.string().max(200),
  body: json,
})

/** Something to do with a simulation, for the person of a session. */
type AskedAct = z.output<typeof askedSchema>

interface SharedSimulationsOptions {
  /** Subject of the questions between nodes. */
  readonly about: 'simulation' | 'draft' | 'rehearsal'
  readonly questions: Pick<Questions, 'node' | 'answer' | 'askNode'>
  /** Does it with the simulations of this node. */
  readonly perform: (asked: AskedAct) => Promise<Result<Json>>
}

/** Simulations live on the node that began them, which is part of their ids. The other nodes ask it. */
export class SharedSimulations {
  readonly #options: SharedSimulationsOptions

  constructor(options: SharedSimulationsOptions) {
    this.#options = options
    options.questions.answer(
      options.about,
      async content => ({ ...(await options.perform(askedSchema.parse(content))) }) as Json,
    )
  }

  newId(): string {
    return `${this.#options.questions.node}.${randomUUID()}`
  }

  /** Undefined: the simulation's node has stopped, and the simulation with it. */
  async at(simulation: string, asked: AskedAct): Promise<Result<Json> | undefined> {
    const { questions, perform } = this.#options
    const node = NODE.exec(simulation)?.[1]
    if (node === undefined || node === questions.node) return perform(asked)
    return (await questions.askNode(node, this.#options.about, asked)) as Result<Json> | undefined
  }

  /** Refused as unknown when the node of the simulation has stopped. */
  async act(asked: AskedAct): Promise<Result<Json>> {
    return (await this.at(asked.id, asked)) ?? refused('entity.notfound')
  }

  /** Begins one where the simulation lives that it replaces, else here. */
  async begin(asked: AskedAct, replaced: string | undefined): Promise<Result<Json>> {
    const begun = replaced === undefined ? undefined : await this.at(replaced, asked)
    return begun ?? this.#options.perform(asked)
  }
}
