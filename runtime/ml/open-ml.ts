import type { Commands } from '#commands/command-handler.ts'
import type { AnswerOf, EffectOf, Understood } from '#domain/conversation/effect.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { mlchannel } from '#schemas/entities/mlchannel.ts'
import { nlusettings } from '#schemas/entities/nlusettings.ts'
import { secretFields, singleId } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText, own } from '#schemas/json.ts'
import type { MlSystemName } from '#schemas/ml-system.ts'
import { accepted, type RefusalCode, type Result, refused } from '#schemas/refusal.ts'
import type { Call } from '../outbound/call.ts'
import { ExpiringValues } from '../outbound/expiring-values.ts'
import { openSystemWire, type SystemKind } from '../outbound/system-wire.ts'
import type { BotLog } from '../service/bot-log.ts'
import type { MlCheck, MlReply, MlSystem, MlTalk, OpenMlSystem } from './ml-port.ts'

/** Consecutive failures after which calls pause. */
const MAX_FAILURES = 5
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 300_000
const MAX_CIRCUITS = 10_000

interface Circuit {
  failures: number
  /** ms since 1970; 0 while it is closed. */
  openUntil: number
  pause: number
  /** A trial call is running. */
  trying: boolean
}

/**
 * Circuit breaker: calls to a system that fails repeatedly pause for 30 s, then one trial call is made; each failed
 * trial doubles the pause, up to 5 min. A response closes the circuit.
 */
class CircuitBreaker {
  readonly #circuits = new Map<string, Circuit>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Seconds until a call may be made; undefined: now. The caller must then report `succeeded` or `failed`. */
  wait(key: string): number | undefined {
    const circuit = this.#circuits.get(key)
    if (circuit === undefined || circuit.openUntil === 0) return undefined
    const left = circuit.openUntil - this.#now()
    if (left <= 0 && !circuit.trying) {
      circuit.trying = true
      return undefined
    }
    return Math.max(1, Math.ceil(left / 1000))
  }

  succeeded(key: string): void {
    this.#circuits.delete(key)
  }

  failed(key: string): void {
    const circuit = this.#circuits.get(key) ?? { failures: 0, openUntil: 0, pause: FIRST_PAUSE_MS, trying: false }
    circuit.failures += 1
    if (circuit.trying) circuit.pause = Math.min(circuit.pause * 2, LONGEST_PAUSE_MS)
    circuit.trying = false
    if (circuit.failures >= MAX_FAILURES) circuit.openUntil = this.#now() + circuit.pause
    if (this.#circuits.size >= MAX_CIRCUITS) this.#circuits.clear()
    this.#circuits.set(key, circuit)
  }
}

/** Maximum tokens and sessions per node. */
const MAX_VALUES = 20_000
const TEST_TIMEOUT_MS = 20_000
/** The service of the NLU settings, as bots name it (`default_nlu_system`). */
const REMOTE = 'remote'
const SETTINGS = 'nlusettings'

/** Errors that count as failures of the system; any other response proves that it works. */
const UNWELL: ReadonlySet<RefusalCode> = new Set([
  'outbound.unreachable',
  'outbound.timeout',
  'outbound.certificate',
  'outbound.answer',
  'ml.failed',
  'ml.toomany',
])

const SOURCES = { mlchannel, nlusettings }

/** The record that describes an outside system. */
type MlSource =
  | { readonly entity: 'mlchannel'; readonly row: RowOf<'mlchannel'> }
  | { readonly entity: 'nlusettings'; readonly row: RowOf<'nlusettings'> }

const circuitOf = ({ row: { id, revision } }: MlSource): string => `${id} ${revision}`

const KIND: SystemKind = {
  name: 'ml',
  notFound: [404],
  messages: [['error', 'message'], ['message'], ['error'], ['detail'], ['reason'], ['errorMessage']],
  tooLarge: 'ml.toolarge',
  isDeadline: true,
}

type Load = () => Promise<OpenMlSystem>

/** Each adapter is loaded on first use, not at the start. */
const ADAPTERS: Readonly<Record<string, Load>> = {
  rasa: async () => (await import('./rasa/rasa.ts')).openRasa,
  dialogflow: async () => (await import('./dialogflow/dialogflow.ts')).openDialogflow,
  watson: async () => (await import('./watson/watson.ts')).openWatson,
  langflow: async () => (await import('./langflow/langflow.ts')).openLangflow,
} satisfies Record<MlSystemName, Load>
const remote: Load = async () => (await import('./remote.ts')).openRemote

const CHANNEL_OF: Readonly<Record<MlSource['entity'], RefusalCode>> = {
  mlchannel: 'ml.channel',
  nlusettings: 'ml.settings',
}

/** Outside systems of bots: the bot's channel of a kind, or the service of the NLU settings. */
export interface Ml {
  /** Whether systems of this kind can understand for bots. */
  has(type: string): boolean
  /** Asks the bot's oldest enabled channel of that kind to answer a text. `timeout` in ms. */
  send(bot: RowOf<'bot'>, type: string, talk: MlTalk, timeout: number): Promise<Result<MlReply>>
  understand(bot: RowOf<'bot'>, type: string, talk: MlTalk, timeout: number): Promise<Result<Understood>>
  /** Tests a channel, enabled or not, or the NLU settings; undefined when it does not exist. */
  check(entity: MlSource['entity'], id: string): Promise<readonly MlCheck[] | undefined>
}

interface MlParts {
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'openFields'>
  readonly call: Call
  readonly botLog?: Pick<BotLog, 'log'>
  readonly now?: () => number
}

/** The bot's oldest enabled channel of a kind. */
const channelOf = async (read: ReadModels, bot: RowOf<'bot'>, type: string): Promise<MlSource | undefined> => {
  const filter = { bot: bot.id, type, enable: true }
  const { items } = await read.list(SYSTEM_SCOPE, 'mlchannel', { page: 1, size: 1, sort: 'created_at', filter })
  return items[0] && { entity: 'mlchannel', row: items[0] }
}

const sourceAt = async (read: ReadModels, entity: MlSource['entity'], id: string): Promise<MlSource | undefined> => {
  const row = await read.detail(SYSTEM_SCOPE, entity, id)
  return row && ({ entity, row } as MlSource)
}

/** The system that a bot names for understanding. */
const sourceFor = (read: ReadModels, bot: RowOf<'bot'>, type: string): Promise<MlSource | undefined> =>
  type === REMOTE ? sourceAt(read, SETTINGS, singleId(SETTINGS, null)) : channelOf(read, bot, type)

type Work<T> = (system: MlSystem) => Promise<Result<T>>

/** Logs to the bot whether its channel's system answered; returns the result. */
const told = <T>(
  botLog: Pick<BotLog, 'log'> | undefined,
  bot: RowOf<'bot'>,
  source: MlSource | undefined,
  result: Result<T>,
): Result<T> => {
  if (source?.entity !== 'mlchannel') return result
  const service = `${source.row.type}:${source.row.id}`
  const [level, code] = result.ok ? (['info', 'ml.answered'] as const) : (['warn', result.refusal.code] as const)
  botLog?.log({ level, code, bot: bot.id, service })
  return result
}

export const openMl = ({ read, commands, call, botLog, now = Date.now }: MlParts): Ml => {
  const circuits = new CircuitBreaker(now)
  const values = new ExpiringValues(MAX_VALUES, now)

  const systemOf = async (source: MlSource, timeout: number): Promise<Result<MlSystem>> => {
    const { entity, row } = source
    const fields: JsonObject | undefined = await commands.openFields(entity, row.id)
    const type = fields === undefined ? '' : fieldText(fields, entity === SETTINGS ? 'parseurl' : 'type')
    const adapter = type === '' ? undefined : entity === SETTINGS ? remote : own(ADAPTERS, type)
    if (fields === undefined || adapter === undefined) return refused(CHANNEL_OF[entity])
    const secrets = secretFields(SOURCES[entity]).map(name => fieldText(fields, name))
    const ownTimeout = typeof fields.timeout === 'number' && fields.timeout > 0 ? fields.timeout : timeout
    // The key includes the revision: a changed address or key gets new tokens and sessions.
    const wire = openSystemWire(KIND, {
      call,
      values,
      key: circuitOf(source),
      timeout: Math.min(ownTimeout, timeout),
      secrets,
    })
    return accepted((await adapter())(fields, wire))
  }
  const ask = async <T>(source: MlSource | undefined, timeout: number, work: Work<T>): Promise<Result<T>> => {
    if (source === undefined) return refused('ml.channel')
    const circuit = circuitOf(source)
    const retryAfter = circuits.wait(circuit)
    if (retryAfter !== undefined) return refused('ml.paused', { params: { retryAfter } })
    let isWell = false
    try {
      const system = await systemOf(source, timeout)
      const result = system.ok ? await work(system.value) : system
      isWell = result.ok || !UNWELL.has(result.refusal.code)
      return result
    } finally {
      if (isWell) circuits.succeeded(circuit)
      else circuits.failed(circuit)
    }
  }
  const askFor = async <T>(
    bot: RowOf<'bot'>,
    source: MlSource | undefined,
    ms: number,
    work: Work<T>,
  ): Promise<Result<T>> => told(botLog, bot, source, await ask(source, ms, work))
  return {
    has: type => type === REMOTE || Object.hasOwn(ADAPTERS, type),
    send: async (bot, type, talk, timeout) =>
      askFor(bot, await channelOf(read, bot, type), timeout, system => system.send(talk)),
    understand: async (bot, type, talk, timeout) =>
      askFor(bot, await sourceFor(read, bot, type), timeout, system => system.understand(talk)),
    async check(entity, id) {
      const source = await sourceAt(read, entity, id)
      if (source === undefined) return undefined
      const system = await systemOf(source, TEST_TIMEOUT_MS)
      if (!system.ok) return [{ part: 'system', result: system }]
      // A passing test closes the circuit, so that a repaired system is usable at once.
      const checks = await system.value.check()
      if (checks.every(({ result }) => result.ok)) circuits.succeeded(circuitOf(source))
      return checks
    },
  }
}

const USUAL_TIMEOUT_MS = 40_000

interface BotParts {
  readonly read: ReadModels
  readonly ml: Ml
}

/** Sends the question of a bot's block `talktomlsystem`, within the bot's `ml_timeout`. */
export const askSystemForBot =
  ({ read, ml }: BotParts, bot: RowOf<'bot'>) =>
  async ({ system, ...talk }: EffectOf<'ml'>): Promise<AnswerOf<'ml'>> => {
    const began = performance.now()
    const setting = await read.detail(SYSTEM_SCOPE, 'botadvancedsetting', singleId('botadvancedsetting', bot.id))
    const reply = await ml.send(bot, system, talk, setting?.ml_timeout || USUAL_TIMEOUT_MS)
    const ms = Math.round(performance.now() - began)
    return reply.ok
      ? { kind: 'ml', ms, ok: true, ...reply.value }
      : { kind: 'ml', ms, ok: false, code: reply.refusal.code }
  }

/** Understands texts for a bot with an outside NLU system; undefined for other bots. */
export const understandWithMlSystem = ({ ml }: Pick<BotParts, 'ml'>, bot: RowOf<'bot'>) => {
  const system = (bot.default_nlu_system ?? '').trim().toLowerCase()
  if (!ml.has(system)) return undefined
  return async ({ text, session, locale }: EffectOf<'nlu'>): Promise<AnswerOf<'nlu'>> => {
    const began = performance.now()
    const meaning = await ml.understand(bot, system, { text, session, locale }, bot.nlutimeout || USUAL_TIMEOUT_MS)
    const ms = Math.round(performance.now() - began)
    return meaning.ok
      ? { kind: 'nlu', ms, ok: true, ...meaning.value }
      : { kind: 'nlu', ms, ok: false, code: meaning.refusal.code }
  }
}
