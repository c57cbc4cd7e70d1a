import { cardRuntime, showCard } from '../card.ts'
import { say } from '../turn.ts'

export const variablecard = cardRuntime(function* (turn, block, skip) {
  const { card, actions } = yield* showCard(turn, block)
  const offered = [...actions, ...skip]
  say(turn, { type: 'card', ...card }, { actions: offered })
  return offered
})
