import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import type { Chance } from '#domain/conversation/fixture/random-talk.ts'
import { driveSteps, evaluated } from '#domain/conversation/fixture/talk.ts'
import type { TurnInput } from '#domain/conversation/input.ts'
import type { BotMessage } from '#domain/conversation/message.ts'
import type { CompiledBlock, CompiledFlow, Release, TurnSettings } from '#domain/conversation/release.ts'
import { runTurn } from '#domain/conversation/run-turn.ts'
import { type ConversationState, newConversation } from '#domain/conversation/state.ts'
import { isObject } from '#domain/flow/document/json.ts'
import type { Json, JsonObject } from '#schemas/event.ts'

/** An output of a block, as `block connector`; a block that ends its dialog or waits has none. */
type Output = string

/** Conversations that are gone on with although they found nothing new. */
const RECENT = 30
/** Blocks behind a question in which its condition is looked for. */
const NEAR = 6

interface Place {
  readonly state: ConversationState
  readonly said: readonly BotMessage[]
}

/** Something of each kind that a question may want. */
const SAMPLES = [
  'Ana',
  '42',
  '0',
  '12345678909',
  'ana@example.org',
  '25/12/2026',
  '14:30',
  'sim',
  'não',
  '???',
] as const

/** Every text that stands in a flow: what its conditions compare with, what its buttons say, what its choices are worth. */
const textsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return value.length > 0 && value.length < 80 ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(member => textsIn(member as Json))
}

const wordsOf = (flow: CompiledFlow): readonly [string, ...string[]] => {
  const compared = [...flow.blocks.values()].flatMap(({ type, properties }) =>
    type === 'condition' || type === 'prompt' ? textsIn(properties) : [],
  )
  return [...SAMPLES, ...new Set(compared)] as unknown as readonly [string, ...string[]]
}

/** Variables that conditions look at, as their paths are written. */
const comparedVariables = (value: Json): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const own =
    isObject(value) && (value.source === 'context' || value.source === 'variable') ? [String(value.variable)] : []
  return [...own, ...Object.values(value).flatMap(member => comparedVariables(member as Json))]
}

const withPath = (values: JsonObject, [name = '', ...rest]: readonly string[], value: Json): JsonObject => {
  const inner = values[name]
  return { ...values, [name]: rest.length === 0 ? value : withPath(isObject(inner) ? inner : {}, rest, value) }
}

const rulesOf = (branch: Json): readonly JsonObject[] => {
  const rules = isObject(branch) ? branch.rules : branch
  return Array.isArray(rules) ? rules.filter(isObject) : []
}

/** There is always something that was said. */
const isAlways = ({ source, comparison, values }: JsonObject): boolean =>
  source === 'input' &&
  (comparison === 'exists' || (comparison === 'matches' && /^\["\.\*?"\]$/u.test(JSON.stringify(values))))

/** An event of another maker's desk, which comes in no conversation of this one. */
const isForeign = ({ variable, values }: JsonObject): boolean =>
  variable === 'input.type' && JSON.stringify(values).includes('application/vnd.')

/** Outputs of a condition that nobody can take: behind a branch that always holds, and of one that never does. */
const deadOutputs = ({ type, properties, next }: CompiledBlock): ReadonlySet<string> => {
  const dead = new Set<string>()
  const branches = type === 'condition' && Array.isArray(properties.conditions) ? properties.conditions : []
  let isDecided = false
  for (const [place, branch] of branches.entries()) {
    const rules = rulesOf(branch)
    if (isDecided || rules.some(isForeign)) dead.add(`output_${place + 1}`)
    isDecided ||= rules.length > 0 && rules.every(isAlways)
  }
  if (isDecided) dead.add('output_default')
  return new Set([...dead].filter(output => next.has(output)))
}

/** Outputs that links lead to from the start, over blocks that are reached. */
export const linkedOutputs = (flow: CompiledFlow): ReadonlySet<Output> => {
  const outputs = new Set<Output>()
  const reached = new Set<string>()
  const open = flow.start === null ? [] : [flow.start]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const block = flow.blocks.get(id)
    if (block === undefined || reached.has(id)) continue
    reached.add(id)
    const dead = deadOutputs(block)
    for (const [connector, to] of block.next) {
      if (dead.has(connector)) continue
      outputs.add(`${id} ${connector}`)
      open.push(to)
    }
  }
  return outputs
}

const answerWith = (words: readonly [string, ...string[]], chance: Chance): Json =>
  chance.pick<Json>([
    null,
    true,
    chance.pick(words),
    { result: chance.pick(words), status: chance.pick(words), data: chance.pick(words) },
    [],
  ])

/**
 * Talks to a flow until the outputs found so far do not grow any more: from every conversation that found something new
 * it goes on with what its blocks compare with, press and expect, while calls answer well and badly.
 */
export class Walk {
  readonly taken = new Set<Output>()
  turns = 0
  readonly #release: Release
  readonly #settings: TurnSettings
  readonly #words: readonly [string, ...string[]]
  readonly #chance: Chance
  /** Where something new was found, and where it was lately. */
  readonly #found: Place[] = []
  #recent: readonly Place[] = []
  readonly #variables: readonly string[]

  constructor(flow: CompiledFlow, release: Release, settings: TurnSettings, chance: Chance) {
    this.#release = release
    this.#settings = settings
    this.#words = wordsOf(flow)
    this.#variables = [...new Set([...flow.blocks.values()].flatMap(({ properties }) => comparedVariables(properties)))]
    this.#chance = chance
  }

  async run(turns: number): Promise<void> {
    for (this.turns = 0; this.turns < turns; this.turns += 1) {
      const chance = this.#chance
      const from = chance.is(0.5) ? this.#found : this.#recent
      const place = chance.is(0.05) ? undefined : from[chance.below(from.length)]
      if (place === undefined) await this.#take(this.#begun(), { kind: 'open' })
      else await this.#take(place, this.#inputAt(place))
    }
  }

  /** A conversation of somebody of whom something is known already. */
  #begun(): Place {
    const chance = this.#chance
    const known = this.#variables.filter(() => chance.is(0.5))
    const variables = known.reduce<JsonObject>(
      (held, path) => withPath(held, path.split('.'), chance.pick(this.#words)),
      {},
    )
    const state = newConversation({
      id: 'walk',
      started: Date.UTC(2026, 4, 5, 13),
      channel: { id: 'web', type: 'webchat' },
      user: { id: 'walker' },
      locale: 'pt',
    })
    return { state: { ...state, variables }, said: [] }
  }

  async #take({ state }: Place, input: TurnInput): Promise<void> {
    const environment = { release: this.#release, settings: this.#settings, now: state.started, seed: this.turns }
    const result = await driveSteps(runTurn(environment, state, input), effect => this.#answer(effect))
    const found = result.steps.flatMap(({ block, out }) => (out === null ? [] : [`${block} ${out}`]))
    const isNew = found.some(output => !this.taken.has(output))
    for (const output of found) this.taken.add(output)
    if (result.state.status !== 'waiting') return
    const place = { state: result.state, said: result.said }
    if (isNew) this.#found.push(place)
    this.#recent = [...this.#recent.slice(-RECENT), place]
  }

  /** What the first condition behind the waiting block compares with. */
  #awaited({ state }: Place): readonly string[] {
    const frame = state.frames.at(-1)
    const blocks = frame === undefined ? undefined : this.#release.dialogs.get(frame.dialog)?.blocks
    let block = blocks?.get(frame?.block ?? '')
    for (let at = 0; block !== undefined && at < NEAR; at += 1) {
      if (block.type === 'condition') return textsIn(block.properties.conditions ?? [])
      block = blocks?.get(block.next.get('output_1') ?? '')
    }
    return []
  }

  #inputAt(place: Place): TurnInput {
    const { said } = place
    const chance = this.#chance
    const offered = said.flatMap(({ id, actions }) => actions.map(action => ({ message: id, action })))
    const pressed = offered[chance.below(offered.length)]
    if (pressed !== undefined && chance.is(0.4)) return { kind: 'choice', ...pressed }
    if (chance.is(0.1))
      return { kind: 'attachment', attachments: [{ name: 'a.png', contentType: 'image/png', contentUrl: 'a' }] }
    const awaited = this.#awaited(place)
    const text = chance.is(0.7) ? awaited[chance.below(awaited.length)] : undefined
    return { kind: 'text', text: text ?? chance.pick(this.#words) }
  }

  async #answer(effect: Effect): Promise<EffectAnswer> {
    const chance = this.#chance
    switch (effect.kind) {
      case 'evaluate': {
        const values = await Promise.all(effect.jobs.map(job => evaluated(job, effect.context)))
        return { kind: 'evaluate', ms: 0, values }
      }
      case 'script':
        return { kind: 'script', ms: 0, ok: true, value: answerWith(this.#words, chance) }
      case 'rest':
        return chance.is(0.4)
          ? { kind: 'rest', ms: 0, ok: false, error: { code: 'http', message: 'HTTP 500', status: 500 } }
          : { kind: 'rest', ms: 0, ok: true, status: 200, body: answerWith(this.#words, chance) }
      default:
        throw new Error(`nobody answers ${effect.kind}`)
    }
  }
}
