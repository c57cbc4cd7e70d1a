import { z } from 'zod'
import { agentchannel } from '#schemas/entities/agentchannel.ts'
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
