import { expect, test } from 'vitest'
import { partsOf } from './between-turns.ts'
import type { Turn } from './conversation-query.ts'

const place = (revision: number): string => `${String(revision).padStart(9, '0')}.000`

const turn = (number: number, kind: string, revision: number): Turn => ({
  turn: number,
  time: '2026-11-29T12:00:00.000Z',
  release: 1,
  input: { kind, time: '2026-11-29T12:00:00.000Z', position: place(revision), said: null },
  steps: [],
  said: [],
  wrote: {},
  kept: [],
  dropped: [],
  status: 'idle',
  wait: null,
  problems: [],
  ended: null,
  failed: null,
})
const time = '2026-11-29T12:00:00.000Z'
const said = (revision: number) => ({
  id: `a${revision}`,
  position: place(revision),
  time,
  from: 'agent' as const,
  text: '',
})

test('puts what happened at the desk between the turns by its place in the log, of one moment as well [P-2381]', () => {
  const parts = partsOf({
    turns: [turn(1, 'open', 1), turn(2, 'message', 3), turn(3, 'message', 9), turn(4, 'agent', 14)],
    agentsaid: [said(5), said(8), said(12), said(16)],
    desk: [
      { position: place(4), time, kind: 'queued' },
      { position: place(6), time, kind: 'released', why: 'transfer' },
      { position: place(7), time, kind: 'assigned' },
      { position: place(14), time, kind: 'left' },
    ],
  })
  const shown = parts.map(part =>
    part.kind === 'turn'
      ? `turn ${part.turn.turn}${part.isEndOfChat ? ', ended by the desk' : ''}`
      : part.items.map(item => (item.kind === 'said' ? item.message.id : item.event.kind)).join(' '),
  )
  expect(shown).toEqual([
    'turn 1',
    'turn 2',
    'queued a5 assigned a8',
    'turn 3',
    'a12 left',
    'turn 4, ended by the desk',
    'a16',
  ])
  expect(parts.flatMap(part => (part.kind === 'between' ? [[part.after, part.isLast]] : []))).toEqual([
    [2, false],
    [3, false],
    [4, true],
  ])
})
