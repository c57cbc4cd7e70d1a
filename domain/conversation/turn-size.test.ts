import { expect, test } from 'vitest'
import { ask, type DialogSketch, open, releaseOf, say, settingsWith, start, talk, variable } from './fixture/talk.ts'
import { TURN_LIMITS } from './limits.ts'

const keep = (name: string, size: number, to: string): DialogSketch[string] => ({
  type: 'assignvariables',
  properties: { variables: [{ id: 'v', name, value: 'x'.repeat(size) }] },
  to,
})

test('fails the turn that exceeds 512 KiB and keeps the previous state of the conversation [R-8] [R-23]', async () => {
  const script = { type: 'handler', properties: { quickscript: true, js: 'x' }, to: 'c' }
  const release = releaseOf({ main: { start, a: ask('text', 'nome', 'b'), b: script, c: say('ok') } })
  const chat = talk(release, settingsWith(), { script: () => ({ ok: true, value: 'x'.repeat(600_000) }) })
  await chat.say(open)
  const before = chat.state
  expect(await chat.say('Ana')).toEqual(['conversation.error'])
  expect(chat.last.failed).toEqual({ limit: 'state', block: 'c', loop: [] })
  expect(chat.state).toEqual({ ...before, frames: [], status: 'idle', turns: 2, messages: 2 })
  expect(await chat.say('oi')).toEqual(['conversation.notunderstood'])
})

test('a value beyond its size is not kept, nor one for which there is no more room [R-8] [R-55]', async () => {
  const release = releaseOf({
    main: {
      start,
      a: keep('a', TURN_LIMITS.variable + 1, 'b'),
      b: keep('b', 250_000, 'again'),
      again: keep('b', 240_000, 'c'),
      c: keep('local', 100_000, 'd'),
      d: keep('d', 60_000, 'e'),
      e: say('{{d}}ok'),
    },
  })
  const chat = talk(release, settingsWith({ variables: [variable('local')] }))
  expect(await chat.say(open)).toEqual(['ok'])
  expect(chat.last.problems.slice(0, 2)).toEqual(['a', 'd'].map(at => ({ code: 'variable.size', at })))
  expect(Object.keys(chat.state.variables)).toEqual(['b'])
})
