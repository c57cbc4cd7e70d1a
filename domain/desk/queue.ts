import { z } from 'zod'
import { agentchannel } from '#schemas/entities/agentchannel.ts'
import { type ChatRating, isRatingScale, type RatingSkip } from '#schemas/rating.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour, NamedCommand } from '../behaviour.ts'
import type { ReturnTarget } from '../conversation/state.ts'
import { eventOf } from '../entity.ts'

export interface DeskQueueFacts {
  /** Waiting, held and snoozed chats of the queue. */
  readonly open: number
}

/** Refuses to remove a queue with open chats. */
export const deskQueueBehaviour: Behaviour<DeskQueueFacts> = {
  commands: {},
  onRemove: (_state, { facts: { open } }) =>
    open === 0 ? accepted(null) : refused('entity.occupied', { params: { count: open } }),
}

/** Records whether a queue can take the people of an agent channel's bot; without a change nothing is written. */
export const recordReadiness: NamedCommand = {
  input: z.strictObject({ configured: z.boolean() }),
  decide: ({ fields }, { configured = false }) =>
    accepted(fields.configured === configured ? [] : [eventOf(agentchannel, 'Changed', { fields: { configured } })]),
}

/** Place to which the agents of a queue may return a person; an empty part allows every one. */
interface AllowedReturn {
  readonly kind: string
  readonly task?: string | null
  readonly dialog?: string | null
  readonly block?: string | null
}

const allows = (each: AllowedReturn, target: ReturnTarget): boolean => {
  if (each.kind !== target.kind) return false
  if (target.kind === 'task') return !each.task || each.task === target.id
  return target.kind === 'flow' || !each.block || (each.dialog === target.dialog && each.block === target.block)
}

/** Whether an agent may return a person to a place. `allowed` is empty where all places are allowed. */
export const mayReturnTo = (allowed: readonly AllowedReturn[], target: ReturnTarget): boolean =>
  allowed.length === 0 || allowed.some(each => allows(each, target))

interface RatingQueue {
  readonly csat?: string | null
  readonly csat_text?: string | null
  readonly csat_comment?: string | null
  readonly close_reasons: readonly { readonly key: string; readonly csat?: boolean | null }[]
}

interface ClosedChat {
  /** Key of the reason for which it is closed. */
  readonly reason: string | undefined
  /** False: the agent wants no rating. */
  readonly csat: boolean | undefined
  readonly hasAgentWritten: boolean
  readonly isWindowOpen: boolean
}

/** Rating that closing a chat asks for, or why it asks for none; undefined: its queue has no rating. */
export const chatRatingOf = (
  queue: RatingQueue | undefined,
  { reason, csat, hasAgentWritten, isWindowOpen }: ClosedChat,
): ChatRating | RatingSkip | undefined => {
  if (queue === undefined || !isRatingScale(queue.csat)) return undefined
  if (csat === false) return 'agent'
  if (queue.close_reasons.find(({ key }) => key === reason)?.csat === false) return 'reason'
  if (!hasAgentWritten) return 'silent'
  if (!isWindowOpen) return 'window'
  return { scale: queue.csat, text: queue.csat_text ?? '', comment: queue.csat_comment ?? '' }
}
