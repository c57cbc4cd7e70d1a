import { expect, test } from 'vitest'
import { cardsOf } from './transcript-items.ts'

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
