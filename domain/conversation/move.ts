import { textAt } from '#schemas/json.ts'
import { runtimeOf } from './blocks/registry.ts'
import { outputOfKept } from './choice.ts'
import type { Steps } from './effect.ts'
import { BeyondLimit, TURN_LIMITS } from './limits.ts'
import { isPressable } from './message.ts'
import { type CompiledBlock, isGoalMarker } from './release.ts'
import { type Frame, type Wait, withValue } from './state.ts'
import type { Step } from './step.ts'
import {
  frameThatWaits,
  type MaySteps,
  type Move,
  perform,
  pushFrame,
  recordProblem,
  replaceFrame,
  type Turn,
  topFrame,
} from './turn.ts'
import { assignVariable, holderOf, readVariable } from './variables.ts'

/** The block where a frame stands; undefined where the release has none of that id. */
export const blockAt = (turn: Turn, { dialog, block }: Frame): CompiledBlock | undefined =>
  block === null ? undefined : turn.release.dialogs.get(dialog)?.blocks.get(block)

const without = ({ wait: _, ...frame }: Frame): Frame => frame

const goTo = (turn: Turn, frame: Frame, block: string | null): void => replaceFrame(turn, { ...without(frame), block })

/** Continues behind an output of a frame's block; an output without a link ends the dialog. */
export const leaveBy = (turn: Turn, frame: Frame, out: string): void =>
  goTo(turn, frame, blockAt(turn, frame)?.next.get(out) ?? null)

/** The last answered question whose frame still runs is asked again. */
const goBack = (turn: Turn): void => {
  const { frames, asked } = turn.state
  const last = asked.findLast(({ frame }) => frames.some(({ id }) => id === frame))
  const at = frames.findIndex(({ id }) => id === last?.frame)
  const frame = frames[at]
  if (last === undefined || frame === undefined) {
    const [bottom] = frames
    if (bottom === undefined) return
    const start = turn.release.dialogs.get(bottom.dialog)?.start ?? null
    turn.state = { ...turn.state, frames: [{ ...without(bottom), block: start }] }
    return
  }
  turn.state = {
    ...turn.state,
    frames: [...frames.slice(0, at), { ...without(frame), block: last.block }],
    asked: asked.filter(question => question !== last),
  }
  if (last.variable !== undefined) assignVariable(turn, last.variable, last.before ?? null)
}

/** Carries a move out. True: the turn stops here. */
const applyMove = (turn: Turn, frame: Frame, move: Move): boolean => {
  switch (move.kind) {
    case 'leave':
      leaveBy(turn, frame, move.out)
      return false
    case 'end':
      goTo(turn, frame, null)
      return false
    case 'jump':
      goTo(turn, frame, move.block)
      return false
    case 'wait':
      replaceFrame(turn, { ...frame, wait: move.wait })
      turn.state = { ...turn.state, status: 'waiting' }
      return true
    case 'call': {
      const waiting = move.frame.kind === 'context' ? frameThatWaits(turn.state) : undefined
      // It may answer the waiting block below.
      if (waiting?.wait !== undefined) replaceFrame(turn, { ...waiting, wait: { ...waiting.wait, answerable: true } })
      pushFrame(turn, move.frame, move.returns)
      return false
    }
    case 'replace':
      turn.state = { ...turn.state, frames: [] }
      pushFrame(turn, move.frame, null)
      return false
    case 'back':
      goBack(turn)
      return false
    case 'agent':
      turn.state = { ...turn.state, status: 'agent' }
      return true
    case 'close':
      turn.state = { ...turn.state, frames: [], status: 'ended' }
      return true
    default:
      return move satisfies never
  }
}

/** Common actions of every block. */
const beforeBlock = (turn: Turn, { properties }: CompiledBlock): void => {
  const { data, retention } = properties
  const tags = typeof data === 'object' && data !== null && 'tags' in data ? data.tags : undefined
  const added = (Array.isArray(tags) ? tags : []).filter(
    (tag): tag is string => typeof tag === 'string' && tag !== '' && !turn.state.tags.includes(tag),
  )
  if (added.length > 0) turn.state = { ...turn.state, tags: [...turn.state.tags, ...new Set(added)] }
  if (retention === true && !turn.state.retained) turn.state = { ...turn.state, retained: true }
}

/** Whether a block that waits again waits for the same answer. */
const isSameQuestion = (waited: Wait, wait: Wait): boolean =>
  waited.kind === wait.kind && waited.confirming === wait.confirming && waited.linked?.message === wait.linked?.message

/** Numbers the question that a step asks, and names it in the messages of the step that can be pressed. */
const asQuestion = (
  turn: Turn,
  { kind, wait }: Extract<Move, { kind: 'wait' }>,
  before: { readonly said: number; readonly messages: number },
  waited: Wait | undefined,
): Move => {
  const isSame = waited !== undefined && isSameQuestion(waited, wait)
  const question = (isSame ? waited.question : undefined) ?? before.messages + 1
  for (const [place, message] of turn.said.entries())
    if (place >= before.said && isPressable(message)) turn.said[place] = { ...message, question }
  return { kind, wait: { ...wait, question } }
}

const ENDS: ReadonlySet<string> = new Set(['enddialog', 'endconversation'])

/** Marks goals; in a dialog with markers of goals, the ends are marked as none. */
const goalOf = ({ release }: Turn, { dialog }: Frame, block: CompiledBlock): Pick<Step, 'goal'> => {
  if (isGoalMarker(block)) return { goal: true }
  return ENDS.has(block.type) && release.dialogs.get(dialog)?.hasGoals === true ? { goal: false } : {}
}

/**
 * Runs one step of a block and records it; returns whether the turn stops there. `waited`: the block reads an answer or
 * asks again, instead of beginning.
 */
export function* runStep(
  turn: Turn,
  frame: Frame,
  block: CompiledBlock,
  run: () => MaySteps<Move>,
  waited?: Wait,
): Steps<boolean> {
  const same = turn.steps.filter(step => step.block === block.id).length
  if (turn.steps.length >= TURN_LIMITS.steps) throw new BeyondLimit('steps')
  if (same >= TURN_LIMITS.sameBlock) throw new BeyondLimit('sameBlock')
  const step = { block, frame, ms: 0, effects: 0, wrote: new Set<string>() }
  turn.step = step
  turn.entered?.({ dialog: frame.dialog, block: block.id, type: block.type })
  const before = { said: turn.said.length, messages: turn.state.messages }
  const made = run()
  const moved = 'kind' in made ? made : yield* made
  const move = moved.kind === 'wait' ? asQuestion(turn, moved, before, waited) : moved
  const { problem } = turn.step
  turn.steps.push({
    frame: frame.id,
    dialog: frame.dialog,
    block: block.id,
    type: block.type,
    out: move.kind === 'leave' ? move.out : null,
    ms: step.ms,
    wrote: [...step.wrote],
    ...(waited === undefined ? {} : { tries: move.kind === 'wait' ? move.wait.tries : waited.tries }),
    ...(move.kind === 'leave' && move.unanswered !== undefined ? { unanswered: move.unanswered } : {}),
    ...(move.kind === 'call' ? { calls: move.returns } : {}),
    ...(move.kind === 'agent' ? { agent: true } : {}),
    ...goalOf(turn, frame, block),
    ...(problem === undefined ? {} : { problem }),
  })
  turn.step = undefined
  // The block may have changed the frame: a variable of it, or what it shares.
  const now = turn.state.frames.find(({ id }) => id === frame.id)
  if (now === undefined) return false
  const { id, locals } = holderOf(turn.state, now)
  turn.locals.set(id, locals)
  return applyMove(turn, now, move)
}

/** A type of another maker leaves by its only linked output, else its dialog ends. */
const runUnknown = (turn: Turn, block: CompiledBlock): Move => {
  recordProblem(turn, 'block.unknown', block.type)
  const [only, ...others] = block.next.keys()
  return only === undefined || others.length > 0 ? { kind: 'end' } : { kind: 'leave', out: only }
}

/** Asks the question under an interruption again, or continues if its variable has a value by now. */
export function* resumeWaiting(turn: Turn, frame: Frame): Steps<boolean> {
  const { wait } = frame
  const block = blockAt(turn, frame)
  const runtime = block === undefined ? undefined : runtimeOf(block.type)
  if (wait === undefined || block === undefined || runtime?.again === undefined) {
    goTo(turn, frame, null)
    return false
  }
  const value = readVariable(turn, textAt(block.properties, 'varname'))
  if (wait.answerable === true && value !== undefined && value !== null) {
    leaveBy(turn, frame, outputOfKept(block, value))
    return false
  }
  const { answerable: _, ...asked } = wait
  const again = runtime.again
  return yield* runStep(turn, frame, block, () => again(turn, block, asked, 'resumed'), asked)
}

/** Ends a dialog: its caller continues, or the interrupted one asks again. */
function* endFrame(turn: Turn, ended: Frame): Steps<boolean> {
  turn.state = { ...turn.state, frames: turn.state.frames.slice(0, -1) }
  const below = topFrame(turn.state)
  if (below === undefined) {
    turn.state = { ...turn.state, status: 'idle' }
    return true
  }
  if (ended.returns === null) return yield* resumeWaiting(turn, below)
  leaveBy(turn, below, ended.returns)
  return false
}

/** Asks before a block whether to continue, if the turn runs step by step; a value may be changed there. */
function* pause(turn: Turn, { id: frame, dialog, block }: Frame): Steps<void> {
  if (!turn.pausing || block === null) return
  for (;;) {
    const { state, said, steps } = turn
    const asked = { dialog, block, frame, state, said: [...said], steps: [...steps] }
    const { change } = yield* perform(turn, { kind: 'pause', ...asked })
    if (change === undefined) return
    turn.state = withValue(turn.state, change)
  }
}

/** Runs blocks until an answer is needed or the stack is empty. */
export function* runStack(turn: Turn): Steps<void> {
  for (;;) {
    const frame = topFrame(turn.state)
    if (frame === undefined) {
      turn.state = { ...turn.state, status: turn.state.status === 'ended' ? 'ended' : 'idle' }
      return
    }
    yield* pause(turn, frame)
    // The drawing may have changed meanwhile.
    const block = blockAt(turn, frame)
    if (block === undefined) {
      if (frame.block !== null) recordProblem(turn, 'missing.block')
      if (yield* endFrame(turn, frame)) return
      continue
    }
    beforeBlock(turn, block)
    const runtime = runtimeOf(block.type)
    const run = () => (runtime === undefined ? runUnknown(turn, block) : runtime.run(turn, block))
    if (yield* runStep(turn, frame, block, run)) return
  }
}
