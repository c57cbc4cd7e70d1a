import type { JsonObject } from '#schemas/event.ts'
import type { RatingFact } from '#schemas/rating.ts'
import { afterAgent, leaveRating } from './after-agent.ts'
import { runtimeOf } from './blocks/registry.ts'
import type { Steps } from './effect.ts'
import { BeyondLimit, TURN_LIMITS, type TurnLimit } from './limits.ts'
import { type BotMessage, type TurnInput, withNumberedQuestion } from './message.ts'
import { blockAt, runStack, runStep } from './move.ts'
import type { CompiledBlock, Release, TurnSettings } from './release.ts'
import { routeMessage } from './route-input.ts'
import { type ConversationState, type ConversationStatus, newConversation, stillUnheard, type Wait } from './state.ts'
import type { Problem, Step } from './step.ts'
import {
  type AgentRequest,
  askForAgent,
  type CalledFrame,
  type EnteredStep,
  type Move,
  openTurn,
  pushFrame,
  recordProblem,
  sayMessage,
  sayText,
  type Turn,
  taskFrame,
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
  /** Called as a step begins. It observes: nothing of the turn depends on it. */
  readonly entered?: (step: EnteredStep) => void
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
  /** Ratings that were asked for, given or left out. */
  readonly ratings?: readonly RatingFact[]
  /** Variables of the dialogs that ended in the turn, as they were then, the outermost last. */
  readonly endedLocals?: readonly JsonObject[]
  /** A schedule that fell due and was not run. */
  readonly skipped?: string
  /** It went beyond a limit: at which block, and the blocks that ran again and again. */
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
  const { id, channel, user, locale, userdata, turns, messages, pushed, rating, choices } = turn.state
  const begun = newConversation({ id, started: turn.now, channel, user, locale, userdata })
  const ended = {
    ...(rating === undefined ? {} : { rating: null }),
    ...(choices === undefined ? {} : { choices: null }),
  }
  turn.state = { ...begun, turns, messages, pushed, ...ended }
  return replaceAll(turn, taskFrame(turn, turn.settings.defaultTask ?? '', '', 'root'))
}

/** The block that waits asks again, once for each question; the end is counted from the question itself. */
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

/** Runs a due schedule: it interrupts, begins a conversation, or is skipped. */
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

const close = (turn: Turn): 'stop' => {
  turn.state = { ...turn.state, frames: [], status: 'ended' }
  return 'stop'
}

/** Whether the bot waits for a rating: of the desk, or of a block. */
const isRatingOpen = ({ state }: Turn): boolean =>
  (state.rating !== undefined && state.rating !== null) || topFrame(state)?.wait?.rating !== undefined

/** An open rating of the desk ends when something else begins. */
function* closeRating(turn: Turn, { kind }: TurnInput): Steps<void> {
  if (turn.state.rating === undefined || turn.state.rating === null) return
  if (kind === 'schedule') {
    if ((yield* leaveRating(turn)) === 'run') yield* runStack(turn)
    turn.state = { ...turn.state, status: 'active' }
  } else if (ENDS_RATING.has(kind)) turn.state = { ...turn.state, rating: null }
}

const ENDS_RATING: ReadonlySet<TurnInput['kind']> = new Set(['leave', 'timeout', 'moved', 'takeover', 'menu'])

function* routeInput(turn: Turn, input: TurnInput, status: ConversationStatus): Steps<'run' | 'stop' | 'skipped'> {
  const isRating = isRatingOpen(turn)
  yield* closeRating(turn, input)
  switch (input.kind) {
    case 'leave':
      return close(turn)
    case 'timeout':
      // A day later nobody waits for a word about that.
      if (!isRating) sayMessage(turn, 'conversation.ended')
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
      turn.state = {
        ...turn.state,
        status: 'agent',
        agent: { status: 'requested' },
        ...stillUnheard(turn.state),
      }
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
  turn.ratings.length = 0
  const ended = before.rating === undefined ? {} : { rating: null }
  const turns = before.turns + 1
  turn.state = { ...before, turns, ...stillUnheard({ ...before, turns }), frames: [], status: 'idle', ...ended }
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
 * One turn: from an input until the bot waits again. Has no clock, randomness or I/O: it requests outside
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
    const { state, said, steps, problems, unrecognized, agent, ratings } = turn
    const ended = endedLocals(turn)
    return {
      state,
      said,
      steps,
      problems,
      ...(unrecognized === undefined ? {} : { unrecognized }),
      ...(agent === undefined || state.status !== 'agent' ? {} : { agent }),
      ...(ratings.length === 0 ? {} : { ratings }),
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
  return { state: { ...state, ...stillUnheard(state), status: before.status }, said, steps, problems }
}
