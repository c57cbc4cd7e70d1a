import { describe, expect, test } from 'vitest'
import { Chance, randomAnswer, randomInput, randomRelease, randomSettings } from './fixture/random-talk.ts'
import { NOW } from './fixture/talk.ts'
import { runTurn, type TurnResult } from './run-turn.ts'
import { type ConversationState, newConversation } from './state.ts'
import { countEnd, countTurn, type OpenVisit, type Visited, waitingBlocks } from './step.ts'

const begun = newConversation({
  id: 'c',
  started: NOW,
  channel: { id: 'w', type: 'webchat' },
  user: { id: 'u' },
  locale: 'pt',
})

const waitingIn = ({ frames }: ConversationState) => waitingBlocks(frames)

const counted = (open: readonly OpenVisit[], { state, steps, ended }: TurnResult, time: number) =>
  countTurn(open, { steps, waiting: waitingIn(state), ended, time })

const total = (visited: readonly Visited[], ...kinds: readonly Visited['event']['kind'][]): number =>
  visited.filter(({ event }) => kinds.includes(event.kind)).length

test('follows every block entry with a leave, wait, loss or removal, on every random walk [R-92]', () => {
  let entered = 0
  const kinds = new Set<string>()
  for (let seed = 1; seed < 120; seed += 1) {
    const chance = new Chance(seed)
    const environment = { release: randomRelease(chance), settings: randomSettings(chance), seed, now: NOW }
    let state: ConversationState = begun
    let open: readonly OpenVisit[] = []
    const visited: Visited[] = []
    const handedOver = new Set<string>()
    for (let turn = 0; turn < 15; turn += 1) {
      const steps = runTurn(environment, state, turn === 0 ? { kind: 'open' } : randomInput(state, [], chance))
      let step = steps.next()
      while (!step.done) step = steps.next(randomAnswer(step.value, chance))
      state = step.value.state
      const now = counted(open, step.value, NOW + turn * 1000)
      visited.push(...now.visited)
      open = now.open
      const keyOf = ({ frame, block }: { readonly frame: number; readonly block: string }) => `${frame} ${block}`
      // A block is left once it has handed the chat to an agent, also where the chat comes back to another task.
      for (const each of step.value.steps) if (each.agent === true && each.out === null) handedOver.add(keyOf(each))
      const waiting = waitingIn(state).filter(each => each.calls === undefined || !handedOver.has(keyOf(each)))
      expect(open.map(keyOf).toSorted()).toEqual(waiting.map(keyOf).toSorted())
      expect(total(visited, 'entered')).toBe(total(visited, 'left', 'lost', 'abandoned') + open.length)
      if (state.status === 'ended') break
    }
    visited.push(...countEnd(open, chance.is(0.5) ? 'timeout' : 'bot'))
    expect(total(visited, 'entered')).toBe(total(visited, 'left', 'lost', 'abandoned'))
    entered += total(visited, 'entered')
    for (const { event } of visited) kinds.add(event.kind)
  }
  expect(entered).toBeGreaterThan(1000)
  expect([...kinds].toSorted()).toEqual(
    expect.arrayContaining(['abandoned', 'answered', 'entered', 'interrupted', 'left', 'lost', 'problem', 'retried']),
  )
})

describe('a question', () => {
  const step = { frame: 1, dialog: 'd', block: 'q', type: 'prompt', out: null }
  const waiting = [{ frame: 1, dialog: 'd', block: 'q' }]
  const asked = countTurn([], { steps: [step], waiting, time: 1000 })
  const events = (visited: readonly Visited[]) => visited.map(({ event }) => event)

  test('counts each answer that was refused, and the time until the one that was taken [R-92]', () => {
    expect(events(asked.visited)).toEqual([{ kind: 'entered' }])
    const refused = countTurn(asked.open, { steps: [{ ...step, tries: 1 }], waiting, time: 4000 })
    expect(events(refused.visited)).toEqual([{ kind: 'retried' }])
    const taken = countTurn(refused.open, {
      steps: [{ ...step, tries: 1, out: 'output_1' }],
      waiting: [],
      time: 9000,
    })
    expect(events(taken.visited)).toEqual([
      { kind: 'left', out: 'output_1' },
      { kind: 'answered', ms: 8000 },
    ])
    expect(taken.open).toEqual([])
  })

  test('is given up or skipped without an answer [R-92]', () => {
    const left = { ...step, tries: 3, out: 'output_giveup', unanswered: 'gaveup' } as const
    expect(events(countTurn(asked.open, { steps: [left], waiting: [], time: 2000 }).visited)).toEqual([
      { kind: 'left', out: 'output_giveup' },
      { kind: 'gaveup' },
    ])
  })

  test('is interrupted, then continued or abandoned [R-92]', () => {
    const other = { ...step, frame: 2, block: 'x', type: 'text', out: 'output_1' }
    const during = countTurn(asked.open, { steps: [other], waiting, time: 2000 })
    expect(events(during.visited)).toContainEqual({ kind: 'interrupted' })
    expect(during.open).toEqual(asked.open)
    const gone = countTurn(asked.open, { steps: [other], waiting: [], time: 2000 })
    expect(events(gone.visited)).toContainEqual({ kind: 'abandoned' })
  })

  test('loses who leaves or does not answer in time, and nobody when the bot goes [R-92]', () => {
    expect(events(countEnd(asked.open, 'timeout'))).toEqual([{ kind: 'lost' }])
    expect(events(countEnd(asked.open, 'person'))).toEqual([{ kind: 'lost' }])
    expect(events(countEnd(asked.open, 'bot'))).toEqual([{ kind: 'abandoned' }])
    const ended = countTurn(asked.open, { steps: [], waiting: [], ended: 'timeout', time: 2000 })
    expect(events(ended.visited)).toEqual([{ kind: 'lost' }])
  })
})

describe('a block that calls another dialog', () => {
  const call = { frame: 1, dialog: 'd', block: 'c', type: 'subdialog', out: null, calls: 'output_1' }
  const ask = { frame: 2, dialog: 'e', block: 'q', type: 'prompt', out: null }
  const waiting = [
    { frame: 1, dialog: 'd', block: 'c', calls: 'output_1' },
    { frame: 2, dialog: 'e', block: 'q' },
  ]
  const asked = countTurn([], { steps: [call, ask], waiting, time: 1000 })
  const at = (visited: readonly Visited[], block: string) =>
    visited.filter(one => one.block === block).map(({ event }) => event)

  test('is left when the dialog comes back, not when it begins [R-92]', () => {
    expect(at(asked.visited, 'c')).toEqual([{ kind: 'entered' }])
    const again = countTurn(asked.open, { steps: [{ ...ask, tries: 1 }], waiting, time: 2000 })
    expect(at(again.visited, 'c')).toEqual([])
    const answer = { ...ask, tries: 1, out: 'output_1' }
    const next = { frame: 1, dialog: 'd', block: 'n', type: 'text', out: 'output_1' }
    const back = countTurn(again.open, { steps: [answer, next], waiting: [], time: 3000 })
    expect(at(back.visited, 'c')).toEqual([{ kind: 'left', out: 'output_1' }])
    expect(back.open).toEqual([])
  })

  test('loses who leaves within the dialog, and is left at its end where nothing comes after [R-92]', () => {
    expect(at(countEnd(asked.open, 'timeout'), 'c')).toEqual([{ kind: 'lost' }])
    const over = countTurn(asked.open, { steps: [{ ...ask, out: 'output_1' }], waiting: [], time: 3000 })
    expect(at(over.visited, 'c')).toEqual([{ kind: 'left', out: 'end' }])
  })
})
