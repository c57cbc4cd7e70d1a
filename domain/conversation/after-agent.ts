import type { RatingOf } from '#schemas/rating.ts'
import type { Steps } from './effect.ts'
import type { TurnInput } from './message.ts'
import { leaveBy, resumeWaiting } from './move.ts'
import { askComment, askScore, isOpenAt, keepScore, readComment, readScore } from './rating.ts'
import type { OpenRating, ReturnTarget } from './state.ts'
import { pushFrame, recordProblem, replaceFrame, sayMessage, sayText, type Turn, taskFrame, topFrame } from './turn.ts'

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

/** Continues where an agent returns the person; else after the block that called the agent. */
function* continueAt(turn: Turn, target: ReturnTarget | undefined): Steps<'run' | 'stop'> {
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

/**
 * Returns the person to the bot: asks for a rating where the desk wants one, runs the task for that; then the block that
 * called the agent continues, or the waiting question is asked again if the menu called the agent.
 */
export function* afterAgent(
  turn: Turn,
  { reason, text, return: target, chat, rating }: Omit<Extract<TurnInput, { kind: 'agentleft' }>, 'kind'>,
): Steps<'run' | 'stop'> {
  turn.state = { ...turn.state, agent: { status: reason, ...chat } }
  const regret = Object.hasOwn(REGRETS, reason) ? REGRETS[reason] : undefined
  if (text !== undefined && text !== '') sayText(turn, text)
  else if (text === undefined && regret !== undefined) sayMessage(turn, regret)
  if (rating === undefined) return yield* continueAt(turn, target)
  const question = turn.state.messages + 1
  const of: RatingOf = {
    rating: question,
    about: 'agent',
    scale: rating.scale,
    ...(chat === undefined ? {} : { n: chat.n }),
  }
  const name = typeof chat?.name === 'string' ? chat.name : ''
  const offered = askScore(
    turn,
    of,
    rating.text.replaceAll('{agent}', () => name),
  )
  openRating(turn, {
    ...of,
    question,
    since: turn.now,
    offered,
    comment: rating.comment,
    ...(target === undefined ? {} : { return: target }),
  })
  return 'stop'
}

/** The rating waits: the last message names its question, so that a press that comes too late is known. */
const openRating = (turn: Turn, rating: OpenRating): void => {
  const last = turn.said.length - 1
  const message = turn.said[last]
  if (message !== undefined) turn.said[last] = { ...message, question: rating.question }
  turn.state = { ...turn.state, rating, status: 'idle' }
}

/** Ends an open rating of the desk, and continues the flow behind it. */
export function* leaveRating(turn: Turn): Steps<'run' | 'stop'> {
  const { rating } = turn.state
  if (rating === undefined || rating === null) return 'stop'
  turn.state = { ...turn.state, rating: null, status: 'active' }
  return yield* continueAt(turn, rating.return)
}

/** Reads an input for an open rating of the desk; `passed`: it is none, and the rating has ended. */
export function* answerRating(turn: Turn, input: TurnInput): Steps<'run' | 'stop' | 'passed'> {
  const { rating } = turn.state
  if (rating === undefined || rating === null) return 'passed'
  const { question: _, since, offered, comment, score, return: __, ...of } = rating
  if (!isOpenAt(since, turn.now)) return 'passed'
  if (score !== undefined) {
    const said = readComment(input)
    if (said === undefined) return 'passed'
    if (said !== null) keepScore(turn, of, score, said)
    sayMessage(turn, 'rating.thanks')
    return yield* leaveRating(turn)
  }
  const given = readScore(rating.scale, offered, input)
  if (given === undefined) return 'passed'
  keepScore(turn, of, given)
  if (comment.trim() === '') {
    sayMessage(turn, 'rating.thanks')
    return yield* leaveRating(turn)
  }
  const question = turn.state.messages + 1
  openRating(turn, { ...rating, offered: askComment(turn, comment), question, since: turn.now, score: given })
  return 'stop'
}
