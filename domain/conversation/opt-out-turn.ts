import type { Release, TurnSettings } from './release.ts'
import type { TurnResult } from './run-turn.ts'
import { sayText } from './say.ts'
import type { ConversationState } from './state.ts'
import { openTurn } from './turn.ts'

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
