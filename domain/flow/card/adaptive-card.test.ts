import { describe, expect, it } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { safeCard, unsupportedTypes } from './adaptive-card.ts'

const body = (...items: Json[]) => safeCard({ body: items }, 'Enviar')

describe('an adaptive card that is shown', () => {
  it('keeps what it is made of [D-3A.29]', () => {
    const items = [
      { type: 'TextBlock', text: '<script>alert(1)</script>' },
      { type: 'ColumnSet', columns: [{ type: 'Column', items: [{ type: 'Image', url: 'https://a.test/b.png' }] }] },
    ]
    const { card, left } = safeCard({ body: items, actions: [{ type: 'Action.Submit', title: 'Ok' }] }, 'Enviar')
    expect(card.body).toEqual(items)
    expect(card.actions).toEqual([{ type: 'Action.Submit', title: 'Ok' }])
    expect(left).toEqual([])
  })

  it('is shown as well where a file has its lists as the text of them, and foreign parts are left out of these too', () => {
    const text = { body: '[{"type":"TextBlock","text":"Oi"},{"type":"Badge"}]', actions: '[{"type":"Action.Http"}]' }
    const { card, left } = safeCard(text, 'Enviar')
    expect(card).toMatchObject({ body: [{ type: 'TextBlock', text: 'Oi' }], actions: [] })
    expect(left).toEqual(['Badge', 'Action.Http'])
    expect(safeCard({ body: '[{' }, 'Enviar').card.body).toEqual([])
  })

  it('has a button to submit where the block asks for one', () => {
    expect(safeCard({ putSubmitButton: true }, 'Enviar').card.actions).toEqual([
      { type: 'Action.Submit', title: 'Enviar' },
    ])
  })

  it('leaves out foreign elements and actions, however deep, and says so', () => {
    const { card, left } = body(
      { type: 'Script', src: 'https://a.test' },
      { type: 'Container', selectAction: { type: 'Action.Popover' }, items: [{ type: 'Badge' }] },
      { type: 'ActionSet', actions: [{ type: 'Action.Http', url: 'https://a.test' }] },
    )
    expect(card.body).toEqual([
      { type: 'Container', items: [] },
      { type: 'ActionSet', actions: [] },
    ])
    expect(left).toEqual(['Script', 'Action.Popover', 'Badge', 'Action.Http'])
  })

  it('knows columns, rows and cells without a type by where they stand', () => {
    const text = { type: 'TextBlock', text: 'x' }
    const table = { type: 'Table', columns: [{ width: 1 }], rows: [{ cells: [{ items: [text] }] }] }
    const { card, left } = body({ type: 'ColumnSet', columns: [{ width: 'auto', items: [text] }] }, table)
    expect(left).toEqual([])
    expect(card.body).toEqual([
      { type: 'ColumnSet', columns: [{ type: 'Column', width: 'auto', items: [text] }] },
      {
        ...table,
        rows: [{ type: 'TableRow', cells: [{ type: 'TableCell', items: [text] }] }],
      },
    ])
  })

  it('cleans what is shown instead of an element, and what is shown instead of that', () => {
    const image = { type: 'Image', url: 'javascript:alert(1)' }
    const opens = { type: 'Action.OpenUrl', title: 'x', url: 'javascript:alert(1)' }
    const { card } = body(
      { type: 'TextBlock', text: 'a', fallback: { ...image, fallback: image } },
      { type: 'TextBlock', text: 'b', fallback: 'drop' },
      { type: 'TextBlock', text: 'c', fallback: 'javascript:alert(1)' },
      { type: 'TextBlock', text: 'd', fallback: { type: 'Script' } },
      { type: 'ActionSet', actions: [{ type: 'Action.Submit', title: 's', fallback: opens }] },
      { type: 'ColumnSet', columns: [{ fallback: { items: [image] } }] },
    )
    expect(card.body).toEqual([
      { type: 'TextBlock', text: 'a', fallback: { type: 'Image', fallback: { type: 'Image' } } },
      { type: 'TextBlock', text: 'b', fallback: 'drop' },
      { type: 'TextBlock', text: 'c' },
      { type: 'TextBlock', text: 'd' },
      {
        type: 'ActionSet',
        actions: [{ type: 'Action.Submit', title: 's', fallback: { type: 'Action.OpenUrl', title: 'x' } }],
      },
      {
        type: 'ColumnSet',
        columns: [{ type: 'Column', fallback: { type: 'Column', items: [{ type: 'Image' }] } }],
      },
    ])
  })

  it('shows the fallback of an element or action that it leaves out', () => {
    const media = { type: 'Badge', url: 'https://a.test/v.mp4' }
    const text = { type: 'TextBlock', text: 'x' }
    const opens = { type: 'Action.OpenUrl', title: 'x', url: 'https://a.test' }
    const shown = body(
      { ...media, fallback: { ...text, selectAction: { ...opens, url: 'javascript:alert(1)' } } },
      { ...media, fallback: { ...media, fallback: text } },
      { ...media, fallback: 'drop' },
      { type: 'ActionSet', actions: [{ type: 'Action.Popover', fallback: opens }] },
    )
    expect(shown.card.body).toEqual([
      { ...text, selectAction: { type: 'Action.OpenUrl', title: 'x' } },
      text,
      { type: 'ActionSet', actions: [opens] },
    ])
    expect(shown.left).toEqual(['Badge', 'url', 'Action.Popover'])
  })

  it('keeps only plain texts among inlines, and no member with an automatic action', () => {
    const address = 'javascript:alert(1)'
    const { card, left } = body(
      address,
      { type: 'RichTextBlock', inlines: ['a', { text: 'b' }, { type: 'TextRun', text: 'c' }] },
      { type: 'Container', selectAction: address, items: [address], refresh: { action: address } },
      { type: 'Image', url: 'https://a.test/a.png', poster: address, authentication: { buttons: [] } },
      { type: 'ActionSet', actions: [{ type: 'Action.ShowCard', title: 'x', card: [address] }] },
      { type: 'ColumnSet', columns: [{ type: null, items: [] }] },
    )
    expect(card.body).toEqual([
      {
        type: 'RichTextBlock',
        inlines: ['a', { type: 'TextRun', text: 'b' }, { type: 'TextRun', text: 'c' }],
      },
      { type: 'Container', items: [] },
      { type: 'Image', url: 'https://a.test/a.png' },
      { type: 'ActionSet', actions: [{ type: 'Action.ShowCard', title: 'x' }] },
      { type: 'ColumnSet', columns: [{ type: 'Column', items: [] }] },
    ])
    expect(left).toEqual(['refresh', 'poster', 'authentication'])
  })

  it('loads and opens no address but https and pictures that it carries itself', () => {
    const { card } = body(
      { type: 'Image', url: 'javascript:alert(1)' },
      { type: 'Image', url: 'data:text/html,<b>' },
      { type: 'Image', url: 'data:image/png;base64,AA' },
    )
    const opened = safeCard({ actions: [{ type: 'Action.OpenUrl', title: 'x', url: 'http://a.test' }] }, '').card
      .actions
    expect(card.body).toEqual([
      { type: 'Image' },
      { type: 'Image' },
      { type: 'Image', url: 'data:image/png;base64,AA' },
    ])
    expect(opened).toEqual([{ type: 'Action.OpenUrl', title: 'x' }])
  })

  it('ends where nesting does not', () => {
    let item: Json = { type: 'TextBlock', text: 'x' }
    for (let depth = 0; depth < 400; depth += 1) item = { type: 'Container', items: [item] }
    expect(body(item).left).toEqual(['…'])
    expect(safeCard({ body: 'junk', actions: null }, '').card).toMatchObject({ body: [], actions: [] })
  })
})

it('names the types of which nothing is shown, however deep [P-1722]', () => {
  const drawn = ['TextBlock', 'Media', 'Table', 'ActionSet', 'Carousel', 'Input.Text'].map(type => ({ type }))
  const card = { type: 'Action.ShowCard', card: { body: [{ type: 'Chart.Pie' }] } }
  expect(unsupportedTypes([...drawn, { type: 'Action.ToggleVisibility' }])).toEqual([])
  expect(unsupportedTypes([{ type: 'Container', items: [{ type: 'Badge' }] }, card])).toEqual(['Badge', 'Chart.Pie'])
  expect(unsupportedTypes('[{"type":"Icon"}]')).toEqual(['Icon'])
  const fallback = { type: 'TextBlock', text: 'x' }
  expect(
    unsupportedTypes([
      { type: 'Badge', fallback },
      { type: 'Icon', fallback: 'drop' },
    ]),
  ).toEqual([])
  expect(unsupportedTypes('[{"type": <kind>}]')).toEqual([])
})
