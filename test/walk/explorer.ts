import { driveSteps } from '#domain/conversation/fixture/talk.ts'
import type { BotMessage, TurnInput } from '#domain/conversation/message.ts'
import type { CompiledBlock, Release, TurnSettings } from '#domain/conversation/release.ts'
import { runTurn } from '#domain/conversation/run-turn.ts'
import { type ConversationState, newConversation, type OfferedAction } from '#domain/conversation/state.ts'
import { valueNamed } from '#domain/conversation/variables.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { type Alternative, alternativesOf, type Outcome } from './call-outcome.ts'
import { type Output, rulesIn, textsIn } from './linked-outputs.ts'
import { type Plan, TurnOutside, type WalkService } from './outside.ts'

/** Something that a person sends: words, an action of a message, or a place, which no question of a walk wants. */
export type Sent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'press'; readonly of: number; readonly action: OfferedAction }
  | { readonly kind: 'place' }

/** One turn of a walk. `sent` is undefined for the opening. */
export interface WalkTurn {
  readonly sent?: Sent
  /** Of its calls, in their order. */
  readonly outcomes: readonly Outcome[]
}

/** A way of talking. */
export interface Path {
  /** The person's data from the site. */
  readonly person: JsonObject
  readonly turns: readonly WalkTurn[]
  readonly state: ConversationState
  readonly said: readonly BotMessage[]
}

interface Exploration {
  readonly release: Release
  readonly settings: TurnSettings
  readonly service: WalkService
  /** Data of each person; one conversation starts with each. */
  readonly people?: readonly JsonObject[]
  /** Outputs to find; with all of them found, it ends. */
  readonly wanted: ReadonlySet<Output>
}

/** Blocks behind a question in which its condition is looked for. */
const NEAR = 6
/** Answers that no question takes, as many as it is asked at most by default. */
const MAX_TRIES = 4
/** Tries per outcome of a call. */
const MAX_OUTCOME_TRIES = 3
const MAX_TURNS = 40
export const PLACE = { latitude: -23.5, longitude: -46.6 }

/** An answer of each kind. */
const SAMPLES = ['Ana', '7', 'CL204510', '52998224725', '01310100', 'ana@example.org', '25/12/2026', 'sim', '???']

const inputOf = (sent: Sent | undefined): TurnInput => {
  switch (sent?.kind) {
    case undefined:
      return { kind: 'open' }
    case 'text':
      return { kind: 'text', text: sent.text }
    case 'press':
      return { kind: 'choice', message: sent.of, action: sent.action }
    default:
      return { kind: 'location', location: PLACE }
  }
}

const numbersNear = (text: string): readonly string[] => {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isInteger(number) ? [text, String(number - 1), String(number + 1)] : [text]
}

/** Tries at each place what its buttons say, what conditions compare with, and samples, until all is found, or nothing new. */
export class Explorer {
  /** Wanted outputs that were found. */
  readonly taken = new Set<Output>()
  /** Paths that reached an output first. */
  readonly paths: Path[] = []
  readonly #given: Exploration
  readonly #compared: ReadonlySet<string>
  readonly #open: Path[] = []
  readonly #seen = new Set<string>()
  readonly #tried = new Map<string, number>()

  constructor(given: Exploration) {
    this.#given = given
    const blocks = [...given.release.dialogs.values()].flatMap(flow => [...flow.blocks.values()])
    this.#compared = new Set(
      blocks.flatMap(({ type, properties }) =>
        type === 'condition'
          ? rulesIn(properties.conditions).flatMap(({ variable, valueVariable }) =>
              [variable, valueVariable].flatMap(name => (typeof name === 'string' && name !== '' ? [name] : [])),
            )
          : [],
      ),
    )
  }

  async explore(): Promise<void> {
    for (const person of this.#given.people ?? [{}]) {
      const state = newConversation({
        id: 'walk',
        started: Date.now(),
        channel: { id: 'web', type: 'webchat' },
        user: { id: 'walker', ...person },
        locale: 'pt',
      })
      await this.#visit({ person, turns: [], state, said: [] }, [undefined])
    }
    for (let path = this.#open.shift(); path !== undefined; path = this.#open.shift())
      for (const inputs of this.#offers(path)) if (this.#isWanting) await this.#visit(path, inputs)
  }

  get #isWanting(): boolean {
    return this.taken.size < this.#given.wanted.size
  }

  /** Paths that are not the beginning of another. */
  get longest(): readonly Path[] {
    const begins = (path: Path, of: Path) =>
      path !== of &&
      path.person === of.person &&
      path.turns.length <= of.turns.length &&
      path.turns.every((turn, place) => turn === of.turns[place])
    return this.paths.filter(path => !this.paths.some(other => begins(path, other)))
  }

  /** Sends these one after the other; then once more for each way in which a call of the last turn may end instead. */
  async #visit(path: Path, inputs: readonly (Sent | undefined)[]): Promise<void> {
    let from = path
    for (const sent of inputs.slice(0, -1)) from = (await this.#take(from, sent, [])).path
    await this.#vary(from, inputs.at(-1), [])
  }

  async #vary(from: Path, sent: Sent | undefined, plan: Plan): Promise<void> {
    const { calls } = await this.#take(from, sent, plan, true)
    for (const [at, variable] of calls.entries()) {
      if (at < plan.length) continue
      const before: Plan = [...plan, ...Array.from({ length: at - plan.length }, () => 'good' as const)]
      for (const other of alternativesOf(this.#given.release, variable, at + from.turns.length))
        if (this.#isWorth(from, variable, other)) await this.#vary(from, sent, [...before, other])
    }
  }

  /** Whether an outcome was tried seldom enough, and whether the variable has a value that it is to be the same as. */
  #isWorth(from: Path, variable: string, other: Alternative): boolean {
    if (typeof other === 'object' && 'same' in other && (this.#valueAt(from, other.same) ?? null) === null) return false
    const key = JSON.stringify([variable, other, from.state.frames.at(-1)?.block])
    const tried = this.#tried.get(key) ?? 0
    this.#tried.set(key, tried + 1)
    return tried < MAX_OUTCOME_TRIES
  }

  #valueAt({ state }: Path, name: string): Json | undefined {
    const held = [state.userdata, state.variables, ...state.frames.map(({ locals }) => locals)]
    return valueNamed(Object.assign({}, ...held), name)
  }

  async #take(from: Path, sent: Sent | undefined, plan: Plan, isLast = false) {
    const { release, settings, service, wanted } = this.#given
    const outside = new TurnOutside(service, plan)
    const environment = { release, settings, now: Date.now(), seed: 1 }
    const result = await driveSteps(runTurn(environment, from.state, inputOf(sent)), effect => outside.answer(effect))
    if (result.failed !== undefined) throw new Error(`a turn failed: ${JSON.stringify(result.failed)}`)
    const before = this.taken.size
    const found = result.steps.flatMap(({ dialog, block, out }) => (out === null ? [] : [`${dialog} ${block} ${out}`]))
    for (const output of found) if (wanted.has(output)) this.taken.add(output)
    const turn = { ...(sent === undefined ? {} : { sent }), outcomes: outside.outcomes }
    const path: Path = {
      person: from.person,
      turns: [...from.turns, turn],
      state: result.state,
      said: result.said,
    }
    const isNew = this.taken.size > before
    if (isNew) this.paths.push(path)
    if (result.state.status === 'waiting' && path.turns.length < MAX_TURNS && isLast && (this.#isFresh(path) || isNew))
      this.#open.push(path)
    return { path, calls: outside.calls }
  }

  /** Whether nobody was at this place yet with one of the values that conditions look at. */
  #isFresh(path: Path): boolean {
    const place = JSON.stringify([path.person, path.state.frames.map(({ dialog, block }) => [dialog, block])])
    const seen = this.#seen.size
    this.#seen.add(place)
    for (const name of this.#compared) this.#seen.add(JSON.stringify([place, name, this.#valueAt(path, name) ?? null]))
    return this.#seen.size > seen
  }

  #offers(path: Path): readonly (readonly Sent[])[] {
    const block = this.#waiting(path)
    const kind = path.state.frames.at(-1)?.wait?.kind ?? ''
    const pressed = path.said.flatMap(({ id, actions, content }) =>
      [...actions, ...(content.type === 'carousel' ? content.cards.flatMap(card => card.actions) : [])]
        .filter(({ type }) => type !== 'openUrl')
        .map((action): Sent => ({ kind: 'press', of: id, action })),
    )
    const words = kind === 'choice' || kind === 'confirm' ? [] : [...new Set([...this.#awaited(path), ...SAMPLES])]
    const refused =
      block?.next.has('output_giveup') === true
        ? [Array.from({ length: MAX_TRIES }, (): Sent => ({ kind: 'place' }))]
        : []
    return [...pressed.map(sent => [sent]), ...words.map((text): Sent[] => [{ kind: 'text', text }]), ...refused]
  }

  #waiting({ state }: Path): CompiledBlock | undefined {
    const frame = state.frames.at(-1)
    return this.#given.release.dialogs.get(frame?.dialog ?? '')?.blocks.get(frame?.block ?? '')
  }

  /** Texts in the first condition after the waiting block. */
  #awaited(path: Path): readonly string[] {
    const blocks = this.#given.release.dialogs.get(path.state.frames.at(-1)?.dialog ?? '')?.blocks
    let block = this.#waiting(path)
    for (let at = 0; block !== undefined && at < NEAR; at += 1) {
      if (block.type === 'condition')
        return rulesIn(block.properties.conditions).flatMap(({ values }) => textsIn(values).flatMap(numbersNear))
      block = blocks?.get(block.next.get('output_1') ?? '')
    }
    return []
  }
}
