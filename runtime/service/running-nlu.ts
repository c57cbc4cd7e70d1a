import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { EventStore } from '#commands/store/port.ts'
import { modelsOf } from '#domain/nlu-training.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Hints } from '#realtime/cluster/hints.ts'
import type { RunningBots, RunningSource } from '#schemas/api/home.ts'
import { modelOfBot } from '../nlu/understand-for-bot.ts'
import type { RuntimeParts } from '../parts.ts'
import { isStarted } from '../release/releases.ts'

const TOPIC = 'nlu'
/** `taken`: limit for the bots of a node to apply a change. `answered`: limit for the answers of all nodes. */
const WITHIN_MS = { taken: 4_000, answered: 4_600 }
const LOOK_AGAIN_MS = 100
const MAX_BOTS_TOLD = 1_000

interface NluQuestion {
  readonly entity: RunningSource
  readonly id: string
}

interface RunningNluOptions {
  readonly hints: Pick<Hints, 'listen' | 'send'>
  readonly store: Pick<EventStore, 'head'>
  readonly read: Pick<ReadModels, 'detail' | 'list' | 'reached'>
  readonly releases: Pick<RuntimeParts['releases'], 'newest'>
  readonly nlu: Pick<RuntimeParts['nlu'], 'responses'>
  /** Whether an external system recognizes texts for a bot. */
  readonly isOutside: (bot: RowOf<'bot'>) => boolean
  /** Other nodes that report a bot as running. */
  readonly othersOf: (bot: string) => readonly string[]
  /** Whether this node receives the reports of every other node. */
  readonly hearsAll: () => boolean
  readonly failed: (error: unknown) => void
  readonly within?: typeof WITHIN_MS
}

/** State of this node for a question. */
interface OwnBots {
  readonly bots: readonly string[]
  readonly taken: ReadonlySet<string>
}

interface Answers {
  /** Bots that have applied the change, by node; a node is in `done` once it has sent all of them. */
  readonly taken: Map<string, Set<string>>
  readonly done: Set<string>
  heard(): void
}

/** Asks every node whether its running bots have applied a stored change of their NLU (D-8.04). */
export class RunningNlu {
  readonly #options: RunningNluOptions
  readonly #asked = new Map<string, Answers>()
  readonly #within: typeof WITHIN_MS
  readonly #stop: () => void

  constructor(options: RunningNluOptions) {
    this.#options = options
    const { hints, failed } = options
    this.#within = options.within ?? WITHIN_MS
    this.#stop = hints.listen(TOPIC, (sender, hint) => {
      if (hint.kind === 'taken?') void this.#answer(hint.ask, hint, hint.position).catch(failed)
      else if (hint.kind === 'taken') this.#hear(sender, hint)
    })
  }

  /** Returns within five seconds the count of instances (one per bot and node) and of those that applied the change. */
  async ask(asked: NluQuestion): Promise<RunningBots> {
    const { hints, store, othersOf, hearsAll } = this.#options
    const position = await store.head()
    const ask = randomUUID()
    const ended = new AbortController()
    const late = pause(this.#within.answered, undefined, { signal: ended.signal, ref: false }).catch(() => undefined)
    let heard = () => {}
    const answers: Answers = { taken: new Map(), done: new Set(), heard: () => heard() }
    this.#asked.set(ask, answers)
    try {
      hints.send(TOPIC, { kind: 'taken?', ask, position, ...asked })
      const own = await this.#own(asked, position)
      const others = own.bots.flatMap(bot => othersOf(bot).map(node => ({ bot, node })))
      const complete = new Promise<void>(resolve => {
        heard = () => others.every(({ node }) => answers.done.has(node)) && resolve()
        heard()
      })
      await Promise.race([complete, late])
      const followed = others.filter(({ bot, node }) => answers.taken.get(node)?.has(bot) === true)
      return {
        running: own.bots.length + others.length,
        updated: own.taken.size + followed.length,
        heard: hearsAll(),
      }
    } finally {
      ended.abort()
      this.#asked.delete(ask)
    }
  }

  close(): void {
    this.#stop()
  }

  #hear(sender: string, { ask, bots, more }: { ask: string; bots: readonly string[]; more: boolean }): void {
    const answers = this.#asked.get(ask)
    if (answers === undefined) return
    answers.taken.set(sender, new Set([...(answers.taken.get(sender) ?? []), ...bots]))
    if (more) return
    answers.done.add(sender)
    answers.heard()
  }

  async #answer(ask: string, { entity, id }: NluQuestion, position: string): Promise<void> {
    const taken = [...(await this.#own({ entity, id }, position)).taken]
    for (let first = 0; first === 0 || first < taken.length; first += MAX_BOTS_TOLD) {
      const bots = taken.slice(first, first + MAX_BOTS_TOLD)
      this.#options.hints.send(TOPIC, { kind: 'taken', ask, bots, more: first + MAX_BOTS_TOLD < taken.length })
    }
  }

  async #own(asked: NluQuestion, position: string): Promise<OwnBots> {
    const until = performance.now() + this.#within.taken
    const isShown = await this.#options.read.reached(position, this.#within.taken)
    const rows = await this.#bots(asked)
    const bots = rows.map(({ id }) => id)
    if (!isShown) return { bots, taken: new Set() }
    const follows = await Promise.all(rows.map(bot => this.#follows(asked, bot, until)))
    return { bots, taken: new Set(bots.filter((_, at) => follows[at])) }
  }

  /** The running bots that use the given entity. */
  async #bots({ entity, id }: NluQuestion): Promise<readonly RowOf<'bot'>[]> {
    const { read, isOutside } = this.#options
    if (entity === 'brain')
      return (await allRows(read, SYSTEM_SCOPE, 'bot', { brain: id })).filter(bot => isStarted(bot) && bot.brainenabled)
    if (entity === 'agentchannel') {
      const channel = await read.detail(SYSTEM_SCOPE, entity, id)
      const bot = channel?.enable === true ? await read.detail(SYSTEM_SCOPE, 'bot', channel.bot) : undefined
      return isStarted(bot) && bot.agentenabled ? [bot] : []
    }
    const filter = entity === 'nluproject' ? { nluproject: id } : {}
    return (await allRows(read, SYSTEM_SCOPE, 'bot', filter)).filter(
      bot =>
        isStarted(bot) && bot.nluenabled && (entity === 'nlusettings' || (modelOfBot(bot) === null && !isOutside(bot))),
    )
  }

  async #follows(asked: NluQuestion, bot: RowOf<'bot'>, until: number): Promise<boolean> {
    for (;;) {
      if (await this.#isTaken(asked, bot).catch(() => false)) return true
      if (performance.now() + LOOK_AGAIN_MS > until) return false
      await pause(LOOK_AGAIN_MS, undefined, { ref: false })
    }
  }

  /** Settings are read from the store each time; a model must be that of the bot's release, and loaded here. */
  async #isTaken({ entity, id }: NluQuestion, bot: RowOf<'bot'>): Promise<boolean> {
    if (entity === 'nlusettings' || entity === 'agentchannel') return true
    const { read, releases, nlu } = this.#options
    const project = await read.detail(SYSTEM_SCOPE, entity, id)
    if (project === undefined) return false
    const hash = modelsOf(project.models).find(model => model.production)?.hash ?? null
    if (entity === 'nluproject' && (await releases.newest(bot.id))?.nlumodel !== hash) return false
    return hash === null || (await nlu.responses(entity, project, { hash })) !== undefined
  }
}
