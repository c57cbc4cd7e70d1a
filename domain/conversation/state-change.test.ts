import { expect, test } from 'vitest'
import { Chance, randomAnswer, randomInput, randomRelease, randomSettings } from './fixture/random-talk.ts'
import { NOW } from './fixture/talk.ts'
import { runTurn } from './run-turn.ts'
import { type ConversationState, changedState, newConversation, stateChange } from './state.ts'

const begun = newConversation({
  id: 'c',
  started: NOW,
  channel: { id: 'w', type: 'webchat' },
  user: { id: 'u' },
  locale: 'pt',
})

test('a change makes the state after a turn from the one before it [R-59]', () => {
  let turns = 0
  for (let seed = 1; seed < 60; seed += 1) {
    const chance = new Chance(seed)
    const environment = { release: randomRelease(chance), settings: randomSettings(chance), seed, now: NOW }
    let state: ConversationState = begun
    for (let turn = 0; turn < 12; turn += 1) {
      const steps = runTurn(environment, state, turn === 0 ? { kind: 'open' } : randomInput(state, [], chance))
      let step = steps.next()
      while (!step.done) step = steps.next(randomAnswer(step.value, chance))
      const change = JSON.parse(JSON.stringify(stateChange(state, step.value.state)))
      expect(changedState(state, change)).toEqual(JSON.parse(JSON.stringify(step.value.state)))
      state = step.value.state
      turns += 1
      if (state.status === 'ended') break
    }
  }
  expect(turns).toBeGreaterThan(300)
})

test('only the values that changed are written', () => {
  const before = { ...begun, variables: { a: 1, b: 'x', c: null } }
  const after = { ...before, variables: { a: 1, b: 'y' } }
  expect(stateChange(before, after)).toEqual({ variables: { put: { b: 'y' }, drop: ['c'] } })
})
