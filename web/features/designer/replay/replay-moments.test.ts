import { expect, test } from 'vitest'
import type { Turn } from '#web/features/conversation/index.ts'
import { lanesOf, linkStepsOf, momentsOf, nearestMomentIndex, valuesAt, visitsAt } from './replay-moments.ts'

const START = Date.parse('2026-11-20T12:00:00.000Z')
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()

const step = (
  block: string,
  out: string | null,
  given: Partial<Turn['steps'][number]> = {},
): Turn['steps'][number] => ({
  frame: 1,
  dialog: 'd',
  block,
  type: 'prompt',
  out,
  ms: 0,
  wrote: [],
  ...given,
})
const turn = (number: number, steps: Turn['steps'], given: Partial<Turn> = {}): Turn => ({
  turn: number,
  time: at(number * 10),
  release: 1,
  input: { kind: 'message', time: at(number * 10 - 1), position: String(number * 10).padStart(9, '0'), said: null },
  steps,
  said: [],
  wrote: {},
  kept: [],
  dropped: [],
  status: 'waiting',
  wait: null,
  problems: [],
  ended: null,
  failed: null,
  ...given,
})
const kept = (name: string, kind = 'text', masked = false) => ({ name, scope: 'conversation' as const, kind, masked })

const TURNS = [
  turn(1, [step('start', 'out'), step('name', null)]),
  turn(2, [step('name', null, { tries: 1 })]),
  turn(
    3,
    [
      step('name', 'out', { tries: 1, wrote: ['nome'] }),
      step('call', 'ok', { type: 'restservice', ms: 2000, wrote: ['nome', 'pin'] }),
    ],
    {
      wrote: { nome: 'ANA', pin: '••••••' },
      kept: [kept('nome'), kept('pin', 'number', true)],
    },
  ),
  turn(4, []),
]
const MOMENTS = momentsOf(TURNS)
const WORDS = { timeOf: (ms: number) => String((ms - START) / 1000), durationOf: (ms: number) => `${ms / 1000} s` }

test('a conversation is walked block by block, each at the time at which it ran, and a turn without blocks as well [P-650]', () => {
  expect(MOMENTS.map(({ step, time }) => [step?.block, (time - START) / 1000])).toEqual([
    ['start', 10],
    ['name', 10],
    ['name', 20],
    ['name', 28],
    ['call', 28],
    [undefined, 40],
  ])
  expect(MOMENTS.at(-1)?.dialog).toBe('d')
  expect(nearestMomentIndex(MOMENTS, START + 21_000)).toBe(2)
})

test('counts runs and questions of a block, not answers, and marks later runs apart from past ones [P-650]', () => {
  const visits = visitsAt(MOMENTS, 2, 'd', WORDS)
  expect([...visits]).toEqual([
    ['start', { label: '10', failed: false }],
    ['name', { label: '2× · 20', failed: false }],
    ['call', { label: '', later: true }],
  ])
  expect(visitsAt(MOMENTS, 3, 'd', WORDS).get('name')?.label).toBe('2× · 28')
  expect(visitsAt(MOMENTS, 4, 'd', WORDS).get('call')).toEqual({ label: '2 s', failed: false })
  expect(visitsAt(MOMENTS, 4, 'other', WORDS).size).toBe(0)
  expect(linkStepsOf(MOMENTS.slice(0, 4), 'd').filter(({ out }) => out !== null)).toEqual([
    { block: 'start', out: 'out' },
    { block: 'name', out: 'out' },
  ])
})

test('draws the stretches of bot, queue and agent, and when the agent wrote [P-2381]', () => {
  const turns = [
    turn(1, [step('start', 'out')]),
    turn(2, [step('hand', null)], { status: 'agent' }),
    turn(5, [], { status: 'agent' }),
    turn(7, [step('back', 'out')]),
  ]
  const happened = (seconds: number, kind: 'queued' | 'assigned' | 'left') => ({
    position: '',
    time: at(seconds),
    kind,
  })
  const said = (seconds: number, from: 'agent' | 'bot') => ({
    id: '',
    position: '',
    time: at(seconds),
    from,
    text: 'x',
  })
  const lanes = lanesOf(momentsOf(turns), {
    desk: [happened(21, 'queued'), happened(40, 'assigned'), happened(69, 'left')],
    agentsaid: [said(21, 'bot'), said(45, 'agent'), said(60, 'agent')],
  })
  const seconds = (time: number) => (time - START) / 1000
  expect(lanes.stretches.map(({ kind, start, end }) => [kind, seconds(start), seconds(end)])).toEqual([
    ['bot', 10, 20],
    ['queue', 20, 40],
    ['agent', 40, 70],
    ['bot', 70, 70],
  ])
  expect(lanes.agent.map(seconds)).toEqual([45, 60])
})

test('shows values of the moment; hides those overwritten within a turn, masked or unreadable [P-650]', () => {
  expect(valuesAt(MOMENTS, 2, true)).toEqual([])
  expect(valuesAt(MOMENTS, 3, true)).toMatchObject([{ name: 'nome', hidden: false, isNew: true }])
  expect(valuesAt(MOMENTS, 3, true)[0]).not.toHaveProperty('value')
  expect(valuesAt(MOMENTS, 4, true)).toMatchObject([
    { name: 'nome', value: 'ANA', hidden: false, isNew: true, by: { dialog: 'd', block: 'call' } },
    { name: 'pin', kind: 'number', hidden: true },
  ])
  expect(valuesAt(MOMENTS, 5, true)).toMatchObject([{ name: 'nome', isNew: false }, { name: 'pin' }])
  expect(valuesAt(MOMENTS, 5, false).map(({ hidden }) => hidden)).toEqual([true, true])
})
