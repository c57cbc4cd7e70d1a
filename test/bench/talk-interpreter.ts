import type { EffectAnswer } from '#domain/conversation/effect.ts'
import { type DialogSketch, NOW, releaseOf, settingsWith } from '#domain/conversation/fixture/talk.ts'
import { runTurn } from '#domain/conversation/run-turn.ts'
import { newConversation } from '#domain/conversation/state.ts'
import { median, quantile } from './figure.ts'

const BLOCKS = 200
const TURNS = 1500
const WARM_UP = 200

const blockAt = (place: number): DialogSketch[string] => {
  const to = `b${place + 1}`
  if (place % 5 === 0) return { type: 'text', properties: { text: `Passo ${place}` }, to }
  if (place % 5 === 1) {
    const rule = { source: 'input', comparison: 'equals', values: ['sim'], datatype: 'string' }
    const branch = { id: 'yes', match: 'and', rules: [rule] }
    return { type: 'condition', properties: { conditions: [branch] as never }, to: { yes: to, output_default: to } }
  }
  if (place % 5 === 2) {
    const line = { id: 'v', name: `v${place % 20}`, value: `{{input.text}} ${place}` }
    return { type: 'assignvariables', properties: { variables: [line] }, to }
  }
  return { type: 'marker', to }
}

const answered = (count: number): EffectAnswer => ({
  kind: 'evaluate',
  ms: 0,
  values: Array.from({ length: count }, () => ({ ok: true, value: 'sim' })),
})

/** Turns of 200 blocks of which some send, compare and assign; expressions are answered at once. */
export const measureInterpreter = () => {
  const blocks = Object.fromEntries(Array.from({ length: BLOCKS }, (_, place) => [`b${place}`, blockAt(place)]))
  const release = releaseOf({ main: { start: { type: 'start', to: 'b0' }, ...blocks } })
  const environment = { release, settings: settingsWith(), now: NOW, seed: 1 }
  const channel = { id: 'web', type: 'webchat' }
  const state = newConversation({ id: 'c', started: NOW, channel, user: { id: 'u' }, locale: 'pt' })
  const times: number[] = []
  let steps = 0
  for (let turn = 0; turn < WARM_UP + TURNS; turn += 1) {
    const began = performance.now()
    const running = runTurn(environment, state, { kind: 'open' })
    let step = running.next()
    while (!step.done) step = running.next(answered(step.value.kind === 'evaluate' ? step.value.jobs.length : 0))
    if (turn < WARM_UP) continue
    times.push(performance.now() - began)
    steps += step.value.steps.length
  }
  const seconds = times.reduce((sum, time) => sum + time, 0) / 1000
  return { stepsPerSecond: steps / seconds, turn: median(times), turnP99: quantile(times, 0.99) }
}
