import type { Frame } from './state.ts'

/** Why a question is left without an answer: after too many wrong ones, or because it is optional. */
export type Unanswered = 'gaveup' | 'skipped'

/** One block executed. It names blocks and connectors, never what was said. */
export interface Step {
  readonly frame: number
  readonly dialog: string
  readonly block: string
  readonly type: string
  /** The connector it left by; null where it waits, ends its frame or goes elsewhere. */
  readonly out: string | null
  /** ms of its effects. */
  readonly ms: number
  /** Names of the variables that it set. */
  readonly wrote: readonly string[]
  readonly tries?: number
  /** It left a question without an answer. */
  readonly unanswered?: Unanswered
  /** Another dialog runs first; the output by which it is left then. */
  readonly calls?: string
  /** It handed the conversation to a person. */
  readonly agent?: true
  /** Whether it is a goal of its dialog; absent for other blocks, and for the ends of a dialog without goals. */
  readonly goal?: boolean
  readonly problem?: Problem
}

/** A fault at a block that did not stop the turn. */
export interface Problem {
  readonly code: string
  /** Place or subject; never a person's words. */
  readonly at?: string
}

/** A block that waits: for an answer, from the moment at which it asked, or for the dialog that it called. */
export interface OpenVisit {
  readonly frame: number
  readonly dialog: string
  readonly block: string
  /** ms since 1970 */
  readonly since: number
  readonly tries: number
  /** Output of the block after the called dialog ends. */
  readonly calls?: string
}

/** The blocks of a stack that wait, and those whose dialog another one runs for. */
export const waitingBlocks = (frames: readonly Frame[]): CountedTurn['waiting'] =>
  frames.flatMap(({ id: frame, dialog, block, wait }, place) => {
    if (wait !== undefined) return [{ frame, dialog, block: wait.block }]
    const calls = frames[place + 1]?.returns ?? null
    return calls === null || block === null ? [] : [{ frame, dialog, block, calls }]
  })

/**
 * Event at a block. A visit begins with `entered` and ends with exactly one of `left`, `lost` (the
 * conversation ended by timeout or by the person while it waited) and `abandoned` (its interruption never returned).
 */
type VisitEvent =
  | { readonly kind: 'entered' | 'retried' | 'interrupted' | 'lost' | 'abandoned' | 'agent' | 'problem' }
  | { readonly kind: 'left'; readonly out: string }
  | { readonly kind: 'gaveup' | 'skipped' }
  /** ms from the question to the answer */
  | { readonly kind: 'answered'; readonly ms: number }

export interface Visited {
  readonly dialog: string
  readonly block: string
  readonly event: VisitEvent
}

/** A turn as it is stored, in clear. */
export interface CountedTurn {
  readonly steps: readonly Omit<Step, 'ms' | 'wrote' | 'type'>[]
  /** Blocks that wait after the turn. */
  readonly waiting: readonly Pick<OpenVisit, 'frame' | 'dialog' | 'block' | 'calls'>[]
  readonly ended?: string | undefined
  /** ms since 1970 */
  readonly time: number
}

/** Counted output of a visit without one: the dialog or all dialogs ended there, or it jumped to another block. */
const NOWHERE = 'end'
/** End reasons that count a waiting person as lost. */
const LOSING = new Set(['timeout', 'person'])

const keyOf = ({ frame, block }: { readonly frame: number; readonly block: string }): string => `${frame} ${block}`
const outOf = ({ out, calls }: CountedTurn['steps'][number]): string => out ?? calls ?? NOWHERE

const answerOf = (unanswered: Step['unanswered'], ms: number): VisitEvent =>
  unanswered === undefined ? { kind: 'answered', ms } : { kind: unanswered }

/**
 * Closing event of a visit that no step of its block closes. A caller continues in its frame by the output of the call;
 * otherwise its dialog has ended.
 */
const closingOf = ({ frame, calls }: OpenVisit, { steps, ended }: Pick<CountedTurn, 'steps' | 'ended'>): VisitEvent => {
  if (calls !== undefined && steps.some(step => step.frame === frame)) return { kind: 'left', out: calls }
  if (ended !== undefined && LOSING.has(ended)) return { kind: 'lost' }
  return calls === undefined ? { kind: 'abandoned' } : { kind: 'left', out: NOWHERE }
}

/** Block events of a turn, and the visits open after it. */
export const countTurn = (
  before: readonly OpenVisit[],
  { steps, waiting, ended, time }: CountedTurn,
): { readonly visited: readonly Visited[]; readonly open: readonly OpenVisit[] } => {
  const visited: Visited[] = []
  const open = new Map(before.map(visit => [keyOf(visit), visit]))
  const waits = new Map(waiting.map(block => [keyOf(block), block]))
  const last = new Map(steps.map((step, place) => [keyOf(step), place]))
  const close = (visit: OpenVisit) => {
    const event = closingOf(visit, { steps, ended })
    visited.push({ dialog: visit.dialog, block: visit.block, event })
    open.delete(keyOf(visit))
  }
  for (const [place, step] of steps.entries()) {
    const { frame, dialog, block, tries, unanswered, problem } = step
    const key = keyOf(step)
    const tell = (event: VisitEvent) => visited.push({ dialog, block, event })
    const known = open.get(key)
    if (problem !== undefined) tell({ kind: 'problem' })
    if (step.agent === true) tell({ kind: 'agent' })
    const isAnew = tries === undefined || known === undefined
    if (isAnew) {
      if (known !== undefined) close(known)
      tell({ kind: 'entered' })
    }
    if (step.out === null && waits.has(key) && last.get(key) === place) {
      if (!isAnew && tries > known.tries) tell({ kind: 'retried' })
      const calls = waits.get(key)?.calls
      const since = isAnew ? time : known.since
      open.set(key, { frame, dialog, block, since, tries: tries ?? 0, ...(calls === undefined ? {} : { calls }) })
      continue
    }
    open.delete(key)
    tell({ kind: 'left', out: outOf(step) })
    if (!isAnew && step.out !== null) tell(answerOf(unanswered, time - known.since))
  }
  for (const visit of [...open.values()]) {
    if (!waits.has(keyOf(visit))) close(visit)
    else if (steps.length > 0 && !last.has(keyOf(visit)) && visit.calls === undefined)
      visited.push({ dialog: visit.dialog, block: visit.block, event: { kind: 'interrupted' } })
  }
  return { visited, open: [...open.values()] }
}

/** Events of open visits if a conversation ends outside of a turn. */
export const countEnd = (open: readonly OpenVisit[], reason: string): readonly Visited[] =>
  countTurn(open, { steps: [], waiting: [], ended: reason, time: 0 }).visited
