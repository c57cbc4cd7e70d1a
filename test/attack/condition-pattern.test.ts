import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import { driveSteps, NOW, releaseOf, settingsWith } from '#domain/conversation/fixture/talk.ts'
import type { TurnInput } from '#domain/conversation/message.ts'
import { runTurn } from '#domain/conversation/run-turn.ts'
import { type ConversationState, newConversation } from '#domain/conversation/state.ts'
import { type Outside, performEffect } from '#runtime/conversation/effect/perform-effect.ts'
import { openPool } from '#runtime/isolation/pool.ts'
import { openEvaluator } from '#runtime/isolation/pooled-work.ts'

const pool = openPool()
const evaluator = openEvaluator(pool, { level: 'l' })
afterAll(() => pool.close())
const outside = { evaluator } as unknown as Outside

/** It has no repetition within a repetition, and yet takes twice as long with each two letters. */
const ENDLESS = '^(a|aa)+$'
const LETTERS = `${'a'.repeat(3000)}!`
/** Longest piece of work of this thread beside a pattern, ms of processor time. */
const MAX_HELD_MS = 20

const rule = (comparison: string, value: string) => ({
  source: 'input',
  datatype: 'string',
  comparison,
  values: [value],
})
const release = releaseOf({
  main: {
    start: { type: 'start', to: { output_1: 'ask' } },
    ask: { type: 'prompt', properties: { data: { type: 'text', text: 'O quê?' } }, to: { output_1: 'if' } },
    if: {
      type: 'condition',
      properties: {
        conditions: [
          { id: 'bomb', match: 'and', rules: [rule('matches', ENDLESS)] },
          { id: 'broken', match: 'and', rules: [rule('matches', '(')] },
          { id: 'plain', match: 'and', rules: [rule('matches', '!$')] },
        ] as never,
      },
      to: { bomb: 'no', broken: 'no', plain: 'yes', output_default: 'no' },
    },
    yes: { type: 'text', properties: { text: 'fim' }, to: {} },
    no: { type: 'text', properties: { text: 'não' }, to: {} },
  },
})

const begun = newConversation({
  id: 'c1',
  started: NOW,
  channel: { id: 'web', type: 'webchat' },
  user: { id: 'u1' },
  locale: 'pt',
})

test('a pattern without an end in a condition stops neither the gateway nor the turn [R-14]', async () => {
  let longest = 0
  let running = true
  const watch = (async () => {
    while (running) {
      const before = process.threadCpuUsage()
      await setImmediate()
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1000)
    }
  })()
  const environment = { release, settings: settingsWith(), now: NOW, seed: 1 }
  const perform = (effect: Effect): Promise<EffectAnswer> => performEffect(effect, outside)
  const say = (state: ConversationState, input: TurnInput) => driveSteps(runTurn(environment, state, input), perform)
  const asked = await say(begun, { kind: 'open' })
  // Loads the worker first: only the pattern is measured.
  await evaluator.evaluate({ kind: 'pattern', source: 'a', text: 'a' })
  longest = 0
  const bomb = await performEffect(
    { kind: 'evaluate', jobs: [{ kind: 'pattern', text: ENDLESS, input: LETTERS }], context: {} },
    outside,
  )
  expect(bomb).toMatchObject({ values: [{ ok: false, fault: 'time' }] })
  expect(longest).toBeLessThan(MAX_HELD_MS)
  running = false
  await watch
  const answered = await say(asked.state, { kind: 'text', text: LETTERS })
  expect(answered.steps.find(({ block }) => block === 'if')).toMatchObject({ out: 'plain' })
  expect(answered.problems.map(({ code }) => code)).toEqual(['expression.time', 'expression.syntax'])
  expect(answered.said).toMatchObject([{ content: { text: 'fim' } }])
})
