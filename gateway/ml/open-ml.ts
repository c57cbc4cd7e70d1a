import type { Commands } from '#commands/command-handler.ts'
import type { Understood } from '#domain/conversation/effect.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type RefusalCode, type Result, refused } from '#schemas/refusal.ts'
import type { Call } from '../outbound/call.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { ExpiringValues } from './expiring-values.ts'
import type { MlCheck, MlReply, MlSystem, MlTalk, OpenMlSystem } from './port.ts'
import { fieldText } from './read-answer.ts'
import { openWire } from './wire.ts'

/** Tokens and sessions that a node holds. */
const MAX_VALUES = 20_000
const TEST_TIMEOUT_MS = 20_000
const SECRETS = ['channel_password', 'channel_authentication_details', 'channel_verify_token']

/** What says of the system itself that it is not well; whatever else it answers, it answers. */
const UNWELL: ReadonlySet<RefusalCode> = new Set([
  'outbound.unreachable',
  'outbound.timeout',
  'outbound.certificate',
  'outbound.answer',
  'ml.failed',
  'ml.toomany',
])

const circuitOf = ({ id, revision }: Row): string => `${id} ${revision}`

/** Each adapter is loaded with its first call, not with each start. */
const ADAPTERS: Readonly<Record<string, () => Promise<OpenMlSystem>>> = {
  rasa: async () => (await import('./rasa.ts')).openRasa,
  dialogflow: async () => (await import('./dialogflow.ts')).openDialogflow,
  watson: async () => (await import('./watson.ts')).openWatson,
  langflow: async () => (await import('./langflow.ts')).openLangflow,
}

/** The outside systems of bots, each through the channel that a bot has of its kind. */
export interface Ml {
  /** Whether there is an adapter for systems of this kind. */
  has(type: string): boolean
  /** Lets the bot's enabled channel of that kind, its oldest one, answer a text. `timeout` in ms. */
  send(bot: Row, type: string, talk: MlTalk, timeout: number): Promise<Result<MlReply>>
  understand(bot: Row, type: string, talk: MlTalk, timeout: number): Promise<Result<Understood>>
  /** The connection test of a channel, enabled or not; undefined where there is none. */
  check(channel: string): Promise<readonly MlCheck[] | undefined>
}

interface MlParts {
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'openFields'>
  readonly call: Call
  readonly now?: () => number
}

export const openMl = ({ read, commands, call, now = Date.now }: MlParts): Ml => {
  const circuits = new CircuitBreaker(now)
  const values = new ExpiringValues(MAX_VALUES, now)

  const systemOf = async (row: Row, timeout: number): Promise<Result<MlSystem>> => {
    const fields: JsonObject | undefined = await commands.openFields('mlchannel', row.id)
    const adapter = ADAPTERS[fields === undefined ? '' : fieldText(fields, 'type')]
    if (fields === undefined || adapter === undefined) return refused('ml.channel')
    const secrets = SECRETS.map(name => fieldText(fields, name))
    // Another address or key begins anew.
    const wire = openWire({ call, values, key: circuitOf(row), timeout, secrets })
    return accepted((await adapter())(fields, wire))
  }
  const ask = async <T>(
    bot: Row,
    type: string,
    timeout: number,
    work: (system: MlSystem) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const filter = { bot: bot.id, type, enable: true }
    const { items } = await read.list(SYSTEM_SCOPE, 'mlchannel', { page: 1, size: 1, sort: 'created_at', filter })
    const [row] = items
    if (row === undefined) return refused('ml.channel')
    const circuit = circuitOf(row)
    const retryAfter = circuits.wait(circuit)
    if (retryAfter !== undefined) return refused('ml.paused', { params: { retryAfter } })
    let isWell = false
    try {
      const system = await systemOf(row, timeout)
      const result = system.ok ? await work(system.value) : system
      isWell = result.ok || !UNWELL.has(result.refusal.code)
      return result
    } finally {
      if (isWell) circuits.succeeded(circuit)
      else circuits.failed(circuit)
    }
  }
  return {
    has: type => Object.hasOwn(ADAPTERS, type),
    send: (bot, type, talk, timeout) => ask(bot, type, timeout, system => system.send(talk)),
    understand: (bot, type, talk, timeout) => ask(bot, type, timeout, system => system.understand(talk)),
    async check(channel) {
      const row = await read.detail(SYSTEM_SCOPE, 'mlchannel', channel)
      const system = row === undefined ? undefined : await systemOf(row, TEST_TIMEOUT_MS)
      if (row === undefined || system?.ok !== true) return undefined
      // Who repaired it need not wait for the end of a pause.
      const checks = await system.value.check()
      if (checks.every(({ result }) => result.ok)) circuits.succeeded(circuitOf(row))
      return checks
    },
  }
}
