import type { AnswerOf, EffectOf } from '#domain/conversation/effect.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json } from '#schemas/event.ts'
import { singleId } from '#schemas/single.ts'
import type { Agents } from './open-agents.ts'
import type { AgentTimeouts } from './session/agent-timeout.ts'

/** Usual times of a chat with an agent, in ms (C-9.05, C-9.06). */
const USUAL: AgentTimeouts = { connect: 120_000, inactive: 120_000, user: 300_000 }

/** Finds the channel that will take the person; no chat is opened before the turn is stored (RUNTIME 48). */
export const askAgentForBot =
  ({ agents }: { readonly agents: Agents }, bot: Row) =>
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
    const ms = (value: Json | undefined, usual: number) => (typeof value === 'number' ? value : usual)
    return {
      connect: ms(setting?.agenttimeout, USUAL.connect),
      inactive: ms(setting?.agent_inactive_timeout, USUAL.inactive),
      user: ms(setting?.usertimeout_with_agent, USUAL.user),
    }
  }
