/** Limits of one turn. Times in ms, sizes in characters of JSON. */
export const TURN_LIMITS = {
  steps: 1000,
  /** Times that one block runs. */
  sameBlock: 100,
  frames: 32,
  messages: 50,
  /** Calls to the outside by one block, and in all. */
  blockEffects: 20,
  effects: 60,
  effectTime: 120_000,
  evaluationTime: 5000,
  /** In the queue of expressions and scripts, which is no time of the turn. */
  waiting: 10_000,
  /** Characters of one variable, of all, and of the whole state. */
  variable: 256 * 1024,
  variables: 384 * 1024,
  state: 512 * 1024,
  /** Kept answered questions, pending schedules, messages to other addresses. */
  asked: 50,
  schedules: 20,
  destinations: 10,
} as const

export const TURN_LIMIT_NAMES = [
  'steps',
  'sameBlock',
  'frames',
  'messages',
  'blockEffects',
  'effects',
  'effectTime',
  'evaluationTime',
  'busy',
  'state',
] as const

export type TurnLimit = (typeof TURN_LIMIT_NAMES)[number]

/** Thrown where a turn goes beyond a limit and caught by `run-turn.ts`; never leaves this folder. */
export class BeyondLimit extends Error {
  readonly limit: TurnLimit

  constructor(limit: TurnLimit) {
    super(limit)
    this.limit = limit
  }
}
