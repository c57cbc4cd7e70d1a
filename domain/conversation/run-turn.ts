import type { JsonObject } from '#schemas/event.ts'
import { runtimeOf } from './blocks/registry.ts'
import type { Steps } from './effect.ts'
import { pushFrame, taskFrame } from './frames.ts'
import { type ReturnTarget, type TurnInput, withNumberedQuestion } from './input.ts'
import { BeyondLimit, TURN_LIMITS, type TurnLimit } from './limits.ts'
import type { BotMessage } from './message.ts'
import { blockAt, leaveBy, resumeWaiting, runStack, runStep } from './move.ts'
import type { CompiledBlock, Release, TurnSettings } from './release.ts'
import { routeMessage } from './route-input.ts'
import { type ConversationState, type ConversationStatus, newConversation, type Wait } from './state.ts'
import type { Problem, Step } from './step.ts'
import {
  type AgentRequest,
  askForAgent,
  type CalledFrame,
  type Move,
  openTurn,
  recordProblem,
  replaceFrame,
  sayMessage,
  sayText,
  type Turn,
  topFrame,
  type Unrecognized,
} from './turn.ts'

interface TurnEnvironment {
  readonly release: Release
  readonly settings: TurnSettings
  /** The moment of the turn, in ms since 1970. */
  readonly now: number
  /** Of the turn's own chance. */
  readonly seed: number
  /** The campaign that the input answers. */
  readonly campaign?: JsonObject
  /** Asks before each block whether to continue. */
  readonly pausing?: boolean
}

type EndReason = 'flow' | 'timeout' | 'person'

/** All that comes of a turn. */
export interface TurnResult {
  readonly state: ConversationState
  readonly said: readonly BotMessage[]
  readonly steps: readonly Step[]
  readonly problems: readonly Problem[]
  readonly ended?: EndReason
  /** Input that led nowhere after asking a model. */
  readonly unrecognized?: Unrecognized
  /** The person is to be handed to an agent. */
  readonly agent?: AgentRequest
  /** Variables of the dialogs that ended in the turn, as they were then, the outermost last. */
  readonly endedLocals?: readonly JsonObject[]
  /** A schedule that fell due and was not run (RUNTIME 28). */
  readonly skipped?: string
  /** It went beyond a limit (RUNTIME 23): at which block, and the blocks that ran again and again. */
  readonly failed?: { readonly limit: TurnLimit; readonly block: string | null; readonly loop: readonly string[] }
}

const replaceAll = (turn: Turn, frame: CalledFrame | undefined): 'run' | 'stop' => {
  turn.state = { ...turn.state, frames: [], status: 'active' }
  if (frame === undefined) {
    sayMessage(turn, 'conversation.notunderstood')
    turn.state = { ...turn.state, status: 'idle' }
    return 'stop'
  }
  pushFrame(turn, { ...frame, kind: 'root' }, null)
  return 'run'
}

const restart = (turn: Turn): 'run' | 'stop' => {
  const { id, channel, user, locale, userdata, turns, messages, pushed } = turn.state
  const begun = newConversation({ id, started: turn.now, channel, user, locale, userdata })
  turn.state = { ...begun, turns, messages, pushed }
  return replaceAll(turn, taskFrame(turn, turn.settings.defaultTask ?? '', '', 'root'))
}

/** The block that waits asks again, once for each question; the end is counted from the question itself (RUNTIME 71). */
function* remind(turn: Turn): Steps<'run' | 'stop'> {
  const frame = topFrame(turn.state)
  const wait = frame?.wait
  const block = frame === undefined ? undefined : blockAt(turn, frame)
  const again = block === undefined ? undefined : runtimeOf(block.type)?.again
  if (frame === undefined || wait === undefined || block === undefined || again === undefined) return 'stop'
  function* reminded(run: NonNullable<typeof again>, asking: Wait, at: CompiledBlock): Steps<Move> {
    const made = run(turn, at, asking, 'reminder')
    const move = 'kind' in made ? made : yield* made
    if (move.kind !== 'wait') return move
    const { remindAt: _, endAt: __, ...asked } = move.wait
    const end = asking.endAt === undefined ? {} : { endAt: asking.endAt }
    return { kind: 'wait', wait: { ...asked, since: asking.since, tries: asking.tries, ...end } }
  }
  return (yield* runStep(turn, frame, block, () => reminded(again, wait, block), wait)) ? 'stop' : 'run'
}

const BUSY = new Set(['waiting', 'active', 'agent'])

/** Runs a due schedule: it interrupts, begins a conversation, or is skipped (RUNTIME 28). */
const runSchedule = (turn: Turn, id: string, status: ConversationStatus): 'run' | 'stop' | 'skipped' => {
  const pending = turn.state.schedules.find(each => each.id === id)
  turn.state = { ...turn.state, schedules: turn.state.schedules.filter(each => each !== pending) }
  if (pending === undefined || (pending.skipWhenBusy && BUSY.has(status))) return 'skipped'
  const isIdle = turn.state.frames.length === 0
  const frame = taskFrame(turn, pending.task, pending.dialog ?? '', isIdle ? 'root' : 'interrupt')
  if (frame === undefined) {
    recordProblem(turn, 'missing.task')
    return 'skipped'
  }
  pushFrame(turn, frame, null)
  return 'run'
}

/** Requests an agent from the menu. */
function* requestAgent(turn: Turn): Steps<'run' | 'stop'> {
  turn.state = { ...turn.state, agent: { status: 'unavailable' } }
  const asked = { system: '', queue: '', fields: {}, transcript: true }
  if (turn.settings.agentEnabled && (yield* askForAgent(turn, asked))) turn.state = { ...turn.state, status: 'agent' }
  else sayMessage(turn, 'agent.unavailable')
  return 'stop'
}

/** Bot messages if no agent came or the agent was lost; a closed chat needs none. */
const REGRETS: Readonly<Record<string, string>> = {
  timeout: 'agent.unavailable',
  unavailable: 'agent.unavailable',
  cleared: 'agent.unavailable',
  inactive: 'agent.lost',
  error: 'agent.lost',
}

/** Puts the flow where an agent returns the person; false: the release has no such place. */
const returnTo = (turn: Turn, target: Exclude<ReturnTarget, { kind: 'flow' }>): boolean => {
  if (target.kind === 'task') {
    const frame = taskFrame(turn, target.id, '', 'root')
    if (frame === undefined) return false
    turn.state = { ...turn.state, frames: [] }
    pushFrame(turn, frame, null)
    return true
  }
  const { dialog, block } = target
  if (turn.release.dialogs.get(dialog)?.blocks.has(block) !== true) return false
  const at = turn.state.frames.findLastIndex(frame => frame.dialog === dialog)
  const kept = turn.state.frames[at]
  if (kept === undefined) {
    turn.state = { ...turn.state, frames: [] }
    pushFrame(turn, { kind: 'root', task: null, dialog }, null)
  } else turn.state = { ...turn.state, frames: turn.state.frames.slice(0, at + 1) }
  const frame = topFrame(turn.state)
  if (frame === undefined) return false
  const { wait: _, ...running } = frame
  replaceFrame(turn, { ...running, block })
  return true
}

/**
 * Returns the person to the bot: runs the task for that first; then the block that called the agent continues, or the
 * waiting question is asked again if the menu called the agent (RUNTIME 48).
 */
function* afterAgent(
  turn: Turn,
  { reason, text, return: target }: Omit<Extract<TurnInput, { kind: 'agentleft' }>, 'kind'>,
): Steps<'run' | 'stop'> {
  turn.state = { ...turn.state, agent: { status: reason } }
  const regret = Object.hasOwn(REGRETS, reason) ? REGRETS[reason] : undefined
  if (text !== undefined && text !== '') sayText(turn, text)
  else if (text === undefined && regret !== undefined) sayMessage(turn, regret)
  if (target !== undefined && target.kind !== 'flow') {
    if (returnTo(turn, target)) return 'run'
    recordProblem(turn, 'desk.return')
  }
  const frame = topFrame(turn.state)
  const { afterAgentTask, afterAgentDialog } = turn.settings
  const task = taskFrame(turn, afterAgentTask ?? '', afterAgentDialog ?? '', 'task')
  const isAsking = frame?.wait !== undefined
  if (task !== undefined) pushFrame(turn, task, frame === undefined || isAsking ? null : 'output_1')
  else if (frame !== undefined && isAsking) return (yield* resumeWaiting(turn, frame)) ? 'stop' : 'run'
  else if (frame !== undefined) leaveBy(turn, frame, 'output_1')
  if (topFrame(turn.state) !== undefined) return 'run'
  // The menu called the agent while nothing ran.
  turn.state = { ...turn.state, status: 'idle' }
  return 'stop'
}

const close = (turn: Turn): 'stop' => {
  turn.state = { ...turn.state, frames: [], status: 'ended' }
  return 'stop'
}

function* routeInput(turn: Turn, input: TurnInput, status: ConversationStatus): Steps<'run' | 'stop' | 'skipped'> {
  switch (input.kind) {
    case 'leave':
      return close(turn)
    case 'timeout':
      sayMessage(turn, 'conversation.ended')
      return close(turn)
    case 'resume':
      return 'run'
    case 'moved':
      sayMessage(turn, 'conversation.restarted')
      return replaceAll(turn, taskFrame(turn, turn.settings.defaultTask ?? '', '', 'root'))
    case 'reminder':
      return yield* remind(turn)
    case 'schedule':
      return runSchedule(turn, input.id, status)
    case 'agentleft':
      return status === 'agent' ? yield* afterAgent(turn, input) : 'stop'
    case 'takeover':
      if (status === 'agent') return 'stop'
      turn.agent = { channel: input.channel, queue: input.queue, fields: {}, transcript: true }
      turn.state = { ...turn.state, status: 'agent', agent: { status: 'requested' } }
      return 'stop'
    case 'menu':
      if (input.command === 'task') return replaceAll(turn, taskFrame(turn, input.task, '', 'root'))
      if (input.command === 'restart') return restart(turn)
      if (input.command === 'bot') return status === 'agent' ? yield* afterAgent(turn, { reason: 'person' }) : 'stop'
      return status === 'agent' ? 'stop' : yield* requestAgent(turn)
    default:
      return status === 'agent' ? 'stop' : yield* routeMessage(turn, input)
  }
}

/** Status of a conversation after a turn that did not set one. */
const settled = (turn: Turn, before: ConversationStatus): ConversationStatus => {
  if (turn.state.status !== 'active') return turn.state.status
  if (before === 'agent' || before === 'ended') return before
  return topFrame(turn.state)?.wait === undefined ? 'idle' : 'waiting'
}

/** The blocks that ran more than once among the last steps: the knot that a turn was caught in. */
const loopOf = (turn: Turn): readonly string[] => {
  const last = turn.steps.slice(-100).map(({ block }) => block)
  return [...new Set(last.filter((block, place) => last.indexOf(block) !== place))]
}

/** A turn beyond a limit leaves only an apology: the conversation is idle, with its state before the turn. */
const failed = (turn: Turn, before: ConversationState, limit: TurnLimit): TurnResult => {
  const block = turn.step?.block.id ?? turn.steps.at(-1)?.block ?? null
  const loop = loopOf(turn)
  turn.step = undefined
  turn.said.length = 0
  turn.state = { ...before, turns: before.turns + 1, frames: [], status: 'idle' }
  sayMessage(turn, limit === 'busy' ? 'conversation.busy' : 'conversation.error')
  const { state, said, steps, problems } = turn
  return { state, said, steps, problems, failed: { limit, block, loop } }
}

/** Variables of frames that ran in a turn and are not on its stack any more, the outermost last. */
const endedLocals = ({ locals, state: { frames } }: Turn): readonly JsonObject[] =>
  [...locals]
    .filter(([id, values]) => Object.keys(values).length > 0 && !frames.some(frame => frame.id === id))
    .toSorted(([one], [other]) => other - one)
    .map(([, values]) => values)

const reasonOf = (input: TurnInput): EndReason =>
  input.kind === 'timeout' ? 'timeout' : input.kind === 'leave' ? 'person' : 'flow'

/**
 * One turn (RUNTIME 4): from an input until the bot waits again. Has no clock, randomness or I/O: it requests outside
 * data as effects, so that the same answers always give the same result. Never throws because of a flow.
 */
export function* runTurn(environment: TurnEnvironment, before: ConversationState, input: TurnInput): Steps<TurnResult> {
  const { campaign = before.campaign } = environment
  const answered = campaign === undefined ? {} : { campaign }
  const known = withNumberedQuestion(before)
  const turn = openTurn(environment, { ...known, ...answered, status: 'active', turns: before.turns + 1 })
  try {
    const routed = yield* routeInput(turn, input, before.status)
    if (routed === 'run') yield* runStack(turn)
    turn.state = { ...turn.state, status: settled(turn, before.status) }
    if (JSON.stringify(turn.state).length > TURN_LIMITS.state) throw new BeyondLimit('state')
    const { state, said, steps, problems, unrecognized, agent } = turn
    const ended = endedLocals(turn)
    return {
      state,
      said,
      steps,
      problems,
      ...(unrecognized === undefined ? {} : { unrecognized }),
      ...(agent === undefined || state.status !== 'agent' ? {} : { agent }),
      ...(state.status === 'ended' ? { ended: reasonOf(input) } : {}),
      ...(ended.length === 0 ? {} : { endedLocals: ended }),
      ...(routed === 'skipped' && input.kind === 'schedule' ? { skipped: input.id } : {}),
    }
  } catch (error) {
    if (!(error instanceof BeyondLimit)) throw error
    return failed(turn, before, error.limit)
  }
}

interface OptOutEnvironment {
  readonly release: Release
  readonly settings: TurnSettings
  readonly now: number
  readonly seed: number
}

/** A turn after an opt-out: the flow does not get the message, a question keeps waiting, the bot sends `reply` only. */
export const optOutTurn = (
  environment: OptOutEnvironment,
  before: ConversationState,
  reply: string | undefined,
): TurnResult => {
  const turn = openTurn(environment, { ...before, turns: before.turns + 1 })
  if (reply !== undefined) sayText(turn, reply)
  const { state, said, steps, problems } = turn
  return { state: { ...state, status: before.status }, said, steps, problems }
}
