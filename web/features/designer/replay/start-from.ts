import type { BodyOf } from '#schemas/api/routes.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Replay } from '#web/features/conversation/index.ts'
import { exampleValue } from './example-value.ts'
import { type HeldValue, momentsOf, valuesAt } from './walk.ts'

type Start = NonNullable<BodyOf<'POST /bot/{id}/simulation'>>

export interface StartFrom {
  /** ms since 1970 */
  readonly time: number
  readonly block: string | undefined
  /** Number of the release that ran. */
  readonly release: number
  readonly values: Pick<Start, 'variables' | 'user' | 'locals'>
  /** Names of example values. */
  readonly examples: readonly string[]
}

/** Start of a test that continues from a moment of a conversation: its position, and the values before that block. */
export const startFrom = (
  replay: Replay,
  { turn, step }: { readonly turn: number; readonly step: number },
  checkedAs: (value: HeldValue) => string | undefined,
): StartFrom | undefined => {
  const moments = momentsOf(replay.turns)
  const index = moments.findIndex(moment => moment.turn.turn === turn && moment.place >= step - 1)
  const moment = moments[index]
  if (moment === undefined) return undefined
  const held = valuesAt(moments, index - 1, replay.words)
  const shownOf = (value: HeldValue): Json =>
    value.hidden || value.value === undefined ? exampleValue(value.kind, checkedAs(value)) : value.value
  const of = (scope: HeldValue['scope']): JsonObject =>
    Object.fromEntries(held.filter(value => value.scope === scope).map(value => [value.name, shownOf(value)]))
  return {
    time: moment.time,
    block: moment.step?.block,
    release: moment.turn.release,
    values: { variables: of('conversation'), user: of('user'), locals: of('dialog') },
    examples: held.filter(({ hidden }) => hidden).map(({ name }) => name),
  }
}
