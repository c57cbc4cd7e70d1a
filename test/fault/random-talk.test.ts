import { expect, test } from 'vitest'
import type { EffectAnswer, Steps } from '#domain/conversation/effect.ts'
import {
  Chance,
  randomAnswer,
  randomInput,
  randomRelease,
  randomSettings,
} from '#domain/conversation/fixture/random-talk.ts'
import { NOW } from '#domain/conversation/fixture/talk.ts'
import { TURN_LIMITS } from '#domain/conversation/limits.ts'
import type { BotMessage } from '#domain/conversation/message.ts'
import { runTurn, type TurnResult } from '#domain/conversation/run-turn.ts'
import { type ConversationState, newConversation } from '#domain/conversation/state.ts'
import { report, SEED, sizeOf, TIMEOUT_MS } from './size.ts'

const TURNS = sizeOf('TURNS', { short: 5000, full: 100_000 })
const TURNS_OF_ONE = 25

/** Far more than the limits of a turn let through: a turn that asks for more does not end. */
const ENDLESS = 20_000

const drive = (steps: Steps<TurnResult>, answer: (place: number, effect: never) => EffectAnswer): TurnResult => {
  let step = steps.next()
  for (let place = 0; !step.done; place += 1) {
    if (place > ENDLESS) throw new Error('the turn does not end')
    step = steps.next(answer(place, step.value as never))
  }
  return step.value
}

const STATUSES = new Set(['waiting', 'idle', 'agent', 'ended'])

const check = ({ state, said, steps, failed }: TurnResult): void => {
  const top = state.frames.at(-1)
  expect(STATUSES).toContain(state.status)
  if (state.status === 'waiting') expect(top?.wait).toBeDefined()
  if (state.status === 'idle' || state.status === 'ended') expect(state.frames).toEqual([])
  expect(state.frames.length).toBeLessThanOrEqual(TURN_LIMITS.frames)
  expect(said.length).toBeLessThanOrEqual(TURN_LIMITS.messages)
  expect(steps.length).toBeLessThanOrEqual(TURN_LIMITS.steps)
  expect(JSON.stringify(state).length).toBeLessThanOrEqual(TURN_LIMITS.state)
  if (failed !== undefined) expect(said.length).toBe(1)
}

/** Talks with one random bot; each turn is run again with the answers that it had. */
const talkAtRandom = (seed: number): number => {
  const chance = new Chance(seed)
  const environment = { release: randomRelease(chance), settings: randomSettings(chance), seed }
  let said: readonly BotMessage[] = []
  let state: ConversationState = newConversation({
    id: 'c',
    started: NOW,
    channel: { id: 'w', type: 'webchat' },
    user: { id: 'u' },
    locale: 'pt',
  })
  for (let turn = 0; turn < TURNS_OF_ONE; turn += 1) {
    const now = NOW + turn * 60_000
    const input = turn === 0 ? ({ kind: 'open' } as const) : randomInput(state, said, chance)
    const answers: EffectAnswer[] = []
    const result = drive(runTurn({ ...environment, now }, state, input), (_, effect) => {
      const answer = randomAnswer(effect, chance)
      answers.push(answer)
      return answer
    })
    check(result)
    const again = drive(runTurn({ ...environment, now }, state, input), place => answers[place] as EffectAnswer)
    expect(JSON.stringify(again)).toBe(JSON.stringify(result))
    state = result.state
    said = result.said
    if (state.status === 'ended') return turn + 1
  }
  return TURNS_OF_ONE
}

test(
  'turns of random flows and inputs end within their limits, and the same answers give the same turn [R-13] [R-23]',
  () => {
    const began = performance.now()
    let turns = 0
    let bots = 0
    for (; turns < TURNS; bots += 1) {
      const seed = SEED * 1_000_000 + bots
      try {
        turns += talkAtRandom(seed)
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
    report('random talk', { turns, bots, seconds: Math.round((performance.now() - began) / 1000) })
  },
  TIMEOUT_MS,
)
