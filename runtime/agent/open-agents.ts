import type { Commands } from '#commands/command-handler.ts'
import { readAgentProfile } from '#domain/agent-profile.ts'
import { agentChannelGaps } from '#domain/channel.ts'
import type { AnswerOf, EffectOf } from '#domain/conversation/effect.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { type AdaptedAgentSystem, agentSystem } from '#schemas/agent-system.ts'
import { agentchannel } from '#schemas/entities/agentchannel.ts'
import { secretFields, singleId } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { own, trimmedText } from '#schemas/json.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { callerOf, openEvaluator } from '../isolation/pooled-work.ts'
import type { WorkPool } from '../isolation/work.ts'
import type { Call } from '../outbound/call.ts'
import { ExpiringValues } from '../outbound/expiring-values.ts'
import type { OpenSocket } from '../outbound/socket.ts'
import { openSystemWire, type SystemKind, type SystemWire } from '../outbound/system-wire.ts'
import type { AgentCheck, AgentSystem, OpenAgentSystem } from './agent-port.ts'
import { DeskLink } from './desk/desk-port.ts'
import type { EvaluateRule } from './profile/profile-call.ts'
import type { AgentTimeouts } from './session/agent-session.ts'

/** Limit of tokens in memory. */
const MAX_VALUES = 20_000
const USUAL_TIMEOUT_MS = 40_000
const TEST_TIMEOUT_MS = 20_000

const KIND: SystemKind = {
  name: 'agent',
  notFound: [404, 410],
  messages: ['error_description', 'message', 'error', 'errorMessage', 'reason', 'detail', 'msg'].map(name => [name]),
  isDeadline: false,
}

type Load = (parts: { readonly desk: DeskLink; readonly bot: string }) => Promise<OpenAgentSystem>

/** Each adapter is loaded on its first call, not at each start. */
const ADAPTERS: Readonly<Record<string, Load>> = {
  parley: async ({ desk, bot }) => {
    const { openParley } = await import('./parley/parley.ts')
    return fields => openParley(fields, desk, bot)
  },
  rocketchat: async () => (await import('./rocketchat/rocketchat.ts')).openRocketChat,
  cxone: async () => (await import('./cxone/cxone.ts')).openCxone,
  five9: async () => (await import('./five9/five9.ts')).openFive9,
  tiledesk: async () => (await import('./tiledesk/tiledesk.ts')).openTiledesk,
  aacc: async () => (await import('./aacc/aacc.ts')).openAacc,
} satisfies Record<AdaptedAgentSystem, Load>

/** Limits of one rule of a profile; the first rule in a fresh process takes some 100 ms. */
const RULE_MS = 500
const MAX_RULE_VALUE = 1_000_000

/** Evaluates the rules of a channel in the pool. */
const evaluatorOf = (work: WorkPool, row: RowOf<'agentchannel'>): EvaluateRule => {
  const evaluator = openEvaluator(work, callerOf(row, row.bot))
  return async (source, input) => {
    const outcome = await evaluator.evaluate({ kind: 'path', parser: 'JsonAta', source, input }, RULE_MS)
    if (!outcome.ok) return refused('agent.profile', { params: { rule: outcome.fault.code } })
    const value = (outcome.value ?? null) as Json
    return JSON.stringify(value).length > MAX_RULE_VALUE
      ? refused('agent.profile', { params: { rule: 'size' } })
      : accepted(value)
  }
}

/** An agent channel that can be used. */
interface OpenedAgentChannel {
  readonly row: RowOf<'agentchannel'>
  /** Fields of the channel, with decrypted secrets. */
  readonly fields: JsonObject
  readonly system: AgentSystem
}

/** Agent systems of bots, each used through the bot's channel of that kind. */
export interface Agents {
  /** The bot's oldest enabled, configured channel of that kind; without a kind, its default one, else the only one. */
  channelOf(bot: RowOf<'bot'>, type: string): Promise<string | undefined>
  /** Undefined: the channel no longer exists, or has no adapter. */
  open(channel: string): Promise<OpenedAgentChannel | undefined>
  /** The connection test of a channel, enabled or not; undefined where there is none. */
  check(channel: string): Promise<readonly AgentCheck[] | undefined>
}

interface AgentParts {
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'openFields'>
  readonly call: Call
  readonly openSocket: OpenSocket
  readonly work: WorkPool
  readonly desk?: DeskLink
  readonly now?: () => number
}

/** The bot's oldest channel of a kind that chats can be handed to; without a kind, its default one, else the only one. */
export const agentChannelOf = async (
  read: Pick<ReadModels, 'list'>,
  bot: RowOf<'bot'>,
  type: string,
  desk?: DeskLink,
): Promise<string | undefined> => {
  const filter = { bot: bot.id, enable: true }
  const { items } = await read.list(SYSTEM_SCOPE, 'agentchannel', { page: 1, size: 100, sort: 'created_at', filter })
  const isDeskUsed = items.some(row => row.type === 'parley')
  // The stored value of the desk may be some milliseconds old.
  const isDeskReady = isDeskUsed ? await desk?.desk?.isReadyAt(bot.hierarchylevel ?? '') : undefined
  // A channel that an earlier version took for configured may lack what its system needs.
  const isReady = (row: RowOf<'agentchannel'>) =>
    row.type === 'parley' ? (isDeskReady ?? row.configured) : row.configured && agentChannelGaps(row).length === 0
  const channels = items.filter(isReady)
  const wanted = type === '' ? trimmedText(bot.defaultagentsystem).toLowerCase() : type
  if (wanted === '') return channels[0]?.id
  return channels.find(row => row.type === wanted || trimmedText(row.name).toLowerCase() === wanted)?.id
}

export const openAgents = (parts: AgentParts): Agents => {
  const { read, commands, call, openSocket, work, desk = new DeskLink(), now = Date.now } = parts
  const values = new ExpiringValues(MAX_VALUES, now)
  /** Systems of channels by their row's revision; undefined for a channel that cannot be used. */
  const kept = new Map<string, { readonly revision: number; readonly opened: OpenedAgentChannel | undefined }>()

  const timeoutOf = async (bot: string): Promise<number> => {
    const setting = await read.detail(SYSTEM_SCOPE, 'botadvancedsetting', singleId('botadvancedsetting', bot))
    return setting?.agent_timeout || USUAL_TIMEOUT_MS
  }
  const systemOf = async (row: RowOf<'agentchannel'>, fields: JsonObject, wire: SystemWire) => {
    const type = trimmedText(fields.type)
    if (agentSystem(type)?.adapter === 'profile') {
      const { profile } = readAgentProfile(fields.channel_extra_info)
      if (profile === undefined) return undefined
      return (await import('./profile/profile.ts')).openProfile(profile, fields, wire, evaluatorOf(work, row))
    }
    const adapter = own(ADAPTERS, type)
    return adapter === undefined ? undefined : (await adapter({ desk, bot: row.bot }))(fields, wire)
  }
  const openRow = async (row: RowOf<'agentchannel'>, timeout: number): Promise<OpenedAgentChannel | undefined> => {
    const fields = await commands.openFields('agentchannel', row.id)
    if (fields === undefined) return undefined
    const secrets = secretFields(agentchannel).map(name => trimmedText(fields[name]))
    const key = `${row.id} ${row.revision}`
    const wire = openSystemWire(KIND, { call, openSocket, values, key, timeout, secrets })
    const system = await systemOf(row, fields, wire)
    return system === undefined ? undefined : { row, fields, system }
  }
  return {
    channelOf: (bot, type) => agentChannelOf(read, bot, type, desk),
    async open(channel) {
      const row = await read.detail(SYSTEM_SCOPE, 'agentchannel', channel)
      if (row === undefined) return undefined
      const known = kept.get(channel)
      if (known?.revision === row.revision) return known.opened
      const opened = await openRow(row, await timeoutOf(row.bot))
      if (kept.size >= MAX_VALUES) kept.clear()
      kept.set(channel, { revision: row.revision, opened })
      return opened
    },
    async check(channel) {
      const row = await read.detail(SYSTEM_SCOPE, 'agentchannel', channel)
      return row === undefined ? undefined : (await openRow(row, TEST_TIMEOUT_MS))?.system.check()
    },
  }
}

/** Usual times of a chat with an agent, in ms (C-9.05, C-9.06). */
const USUAL: AgentTimeouts = { connect: 120_000, inactive: 120_000, user: 300_000 }

/** Finds the channel that will take the person; no chat is opened before the turn is stored. */
export const askAgentForBot =
  ({ agents }: { readonly agents: Agents }, bot: RowOf<'bot'>) =>
  async ({ system }: EffectOf<'agent'>): Promise<AnswerOf<'agent'>> => {
    const channel = await agents.channelOf(bot, system)
    return channel === undefined
      ? { kind: 'agent', ms: 0, ok: false, code: 'agent.channel' }
      : { kind: 'agent', ms: 0, ok: true, channel }
  }

/** The current times of a bot's conversation settings. */
export const agentTimeouts =
  (read: Pick<ReadModels, 'detail'>) =>
  async (bot: string): Promise<AgentTimeouts> => {
    const setting = await read.detail(SYSTEM_SCOPE, 'conversationsetting', singleId('conversationsetting', bot))
    return {
      connect: setting?.agenttimeout ?? USUAL.connect,
      inactive: setting?.agent_inactive_timeout ?? USUAL.inactive,
      user: setting?.usertimeout_with_agent ?? USUAL.user,
    }
  }
