import { createMachine, getNextSnapshot } from 'xstate'
import { BOT_STATUSES, bot } from '#schemas/entities/bot.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DecisionContext, DomainEvent, Live, NamedCommand, NoFacts } from './behaviour.ts'
import { eventOf } from './entity.ts'

type Action = 'start' | 'stop' | 'restart' | 'fix'
type Status = (typeof BOT_STATUSES)[number]
interface Services {
  readonly needed: number
  readonly up: number
}

/** A bot without a minimum of services is merely started; with one it waits for them and then runs. */
const begin = [
  { target: 'running', guard: ({ context }: { context: Services }) => context.needed > 0 && hasEnough(context) },
  { target: 'pending', guard: ({ context }: { context: Services }) => !hasEnough(context) },
  { target: 'started' },
]
const hasEnough = ({ needed, up }: Services) => up >= needed

const live = { stop: 'stopped', restart: begin, fix: begin }

/** Running status of a bot; only its pure transition is used. */
const botMachine = createMachine({
  types: {} as { context: Services; input: Services; events: { type: Action } },
  context: ({ input }) => input,
  initial: 'stopped',
  states: {
    stopped: { on: { start: begin } },
    pending: { on: live },
    started: { on: live },
    running: { on: live },
  },
})

/** The status after an action; undefined when it is not possible in this one. */
const nextStatus = (status: Status, action: Action, services: Services): Status | undefined => {
  const present = botMachine.resolveState({ value: status, context: services })
  if (!present.can({ type: action })) return undefined
  return statusOf(getNextSnapshot(botMachine, present, { type: action }).value)
}

const statusOf = (value: unknown): Status => BOT_STATUSES.find(status => status === value) ?? 'stopped'
const count = (value: Json | undefined) => (typeof value === 'number' ? value : 0)

/** States in which an action has nothing left to do. */
const SATISFIED: Readonly<Partial<Record<Action, (status: Status) => boolean>>> = {
  start: status => status !== 'stopped',
  stop: status => status === 'stopped',
}

const running = (action: Action, verb: string): NamedCommand => ({
  decide({ fields }: Live, _input: JsonObject, { time }: DecisionContext<NoFacts>): Result<readonly DomainEvent[]> {
    const status = statusOf(fields.runningstatus)
    if (SATISFIED[action]?.(status)) return accepted([])
    const services = { needed: count(fields.minservicesneeded), up: count(fields.servicesup) }
    const runningstatus = nextStatus(status, action, services)
    if (runningstatus === undefined) return refused('bot.transition', { params: { status, action } })
    const moved = action === 'restart' ? { restarted_at: time } : {}
    return accepted([eventOf(bot, verb, { fields: { runningstatus, ...moved } })])
  },
})

export const botBehaviour = {
  commands: {
    start: running('start', 'Started'),
    stop: running('stop', 'Stopped'),
    restart: running('restart', 'Restarted'),
    fix: running('fix', 'Fixed'),
  },
} satisfies Behaviour

export interface DeploymentFacts {
  /** Result of the check of a compose file. Absent where the file is not what changes. */
  readonly checked?: Json
}

/** A compose file is kept with what a check of it finds, wrong or not. */
export const deploymentBehaviour = {
  commands: {},
  onChange: (_state, changes, { facts: { checked = null } }) =>
    accepted(Object.hasOwn(changes, 'compose_file') ? { ...changes, compose_checked: checked } : changes),
} satisfies Behaviour<DeploymentFacts>
