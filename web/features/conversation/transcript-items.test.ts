import { expect, test } from 'vitest'
import type { Turn } from './conversation-query.ts'
import { cardsOf, partsOf } from './transcript-items.ts'

test('shows the texts and buttons of each card of a carousel [P-2131]', () => {
  const cards = [
    { title: 'Margherita', subtitle: '', text: 'With basil', actions: [{ id: '1', title: 'Order' }] },
    { title: 'Funghi', subtitle: 'New', text: '', actions: [] },
  ]
  expect(cardsOf({ type: 'carousel', cards, actions: [] })).toEqual([
    { lines: ['Margherita', 'With basil'], buttons: ['Order'] },
    { lines: ['Funghi', 'New'], buttons: [] },
  ])
})

test.each([
  [{ type: 'text', text: 'Hello' }, ['Hello']],
  [{ type: 'text', text: '', attachments: [{ name: 'menu.pdf', contentUrl: 'https://x.example/1' }] }, ['menu.pdf']],
  [{ type: 'card', title: 'Your order', subtitle: '', text: 'Two pizzas' }, ['Your order', 'Two pizzas']],
  [{ type: 'media', title: '', text: '', url: 'https://x.example/film' }, ['https://x.example/film']],
  [{ type: 'location', address: '', latitude: -23.5, longitude: -46.6 }, ['-23.5, -46.6']],
  [{ type: 'receipt', family: 'facebook', receipt: { merchant_name: 'Palace' } }, ['Palace']],
  [
    {
      type: 'adaptive',
      body: [
        { type: 'TextBlock', text: 'Which?' },
        { type: 'ColumnSet', columns: [{ type: 'Column', items: [{ type: 'TextBlock', text: 'Small' }] }] },
        { type: 'Input.Text', id: 'name' },
      ],
    },
    ['Which?', 'Small'],
  ],
])('shows the texts of a message, not its type: %o [P-2131]', (message, lines) => {
  expect(cardsOf(message)[0]?.lines).toEqual(lines)
})

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
