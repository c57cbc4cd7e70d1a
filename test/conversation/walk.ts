import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import type { Chance } from '#domain/conversation/fixture/random-talk.ts'
import { driveSteps, evaluated } from '#domain/conversation/fixture/talk.ts'
import type { BotMessage, TurnInput } from '#domain/conversation/message.ts'
import type { CompiledFlow, Release, TurnSettings } from '#domain/conversation/release.ts'
import { runTurn } from '#domain/conversation/run-turn.ts'
import { type ConversationState, newConversation } from '#domain/conversation/state.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { type Output, rulesIn, textsIn } from '#test/walk/linked-outputs.ts'

/** Recent conversations that continue although they found nothing new. */
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

const wordsOf = (flow: CompiledFlow): readonly [string, ...string[]] => {
  const compared = [...flow.blocks.values()].flatMap(({ type, properties }) =>
    type === 'condition' || type === 'prompt' ? textsIn(properties) : [],
  )
  return [...SAMPLES, ...new Set(compared)] as unknown as readonly [string, ...string[]]
}

/** Variables that conditions look at, as their paths are written, and what each is compared with. */
const comparedVariables = (flow: CompiledFlow): ReadonlyMap<string, readonly string[]> => {
  const compared = new Map<string, readonly string[]>()
  for (const { type, properties } of flow.blocks.values()) {
    for (const { source, variable, values } of type === 'condition' ? rulesIn(properties.conditions) : []) {
      if (source !== 'context' && source !== 'variable') continue
      const name = String(variable)
      compared.set(name, [...(compared.get(name) ?? []), ...textsIn(values)])
    }
  }
  return compared
}

const withPath = (values: JsonObject, [name = '', ...rest]: readonly string[], value: Json): JsonObject => {
  const inner = values[name]
  return { ...values, [name]: rest.length === 0 ? value : withPath(isObject(inner) ? inner : {}, rest, value) }
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
 * Talks to a flow until the number of found outputs no longer grows: continues every conversation that found a new one,
 * with the values its blocks compare, press and expect, while calls succeed and fail.
 */
export class Walk {
  readonly taken = new Set<Output>()
  turns = 0
  readonly #release: Release
  readonly #settings: TurnSettings
  readonly #words: readonly [string, ...string[]]
  readonly #chance: Chance
  /** States with new outputs, and the most recent states. */
  readonly #found: Place[] = []
  #recent: readonly Place[] = []
  readonly #variables: ReadonlyMap<string, readonly string[]>

  constructor(flow: CompiledFlow, release: Release, settings: TurnSettings, chance: Chance) {
    this.#release = release
    this.#settings = settings
    this.#words = wordsOf(flow)
    this.#variables = comparedVariables(flow)
    this.#chance = chance
  }

  /** Ends early once all `wanted` outputs are taken. */
  async run(turns: number, wanted?: ReadonlySet<Output>): Promise<void> {
    for (this.turns = 0; this.turns < turns; this.turns += 1) {
      if (wanted?.isSubsetOf(this.taken) === true) return
      const chance = this.#chance
      const from = chance.is(0.5) ? this.#found : this.#recent
      const place = chance.is(0.05) ? undefined : from[chance.below(from.length)]
      if (place === undefined) await this.#take(this.#begun(), { kind: 'open' })
      else await this.#take(place, this.#inputAt(place))
    }
  }

  /** A conversation of a user with some known variables. */
  #begun(): Place {
    const chance = this.#chance
    const known = [...this.#variables].filter(() => chance.is(0.5))
    const variables = known.reduce<JsonObject>((held, [path, values]) => {
      const value = chance.is(0.5) ? chance.pick(['', ...values]) : chance.pick(this.#words)
      return withPath(held, path.split('.'), value)
    }, {})
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

  /** Texts in the first condition after the waiting block. */
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
