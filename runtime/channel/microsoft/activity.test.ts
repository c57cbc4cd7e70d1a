import { expect, test } from 'vitest'
import { sentMessage } from '#gateway/directline/add-direct-line.ts'
import type { ChatMessage } from '#runtime/port.ts'
import { activityOf } from './activity.ts'

const CARD: ChatMessage = {
  ...{ id: '7', position: '1', time: '2026-05-04T10:00:00.000Z', from: 'bot', type: 'adaptive', submit: false },
  body: [{ type: 'ActionSet', actions: [{ type: 'Action.Submit', title: 'A', data: { a: 1 } }] }],
  actions: [
    { type: 'Action.Submit', title: 'OK', id: 'ok' },
    { type: 'Action.Submit', title: 'Texto', data: 'dito' },
    { type: 'Action.OpenUrl', title: 'Ver', url: 'https://x.example/' },
    { id: 'skip', type: 'skip', title: 'Pular', value: '' },
  ],
}

test('an adaptive card keeps its own actions, whose data name its message [R-78] [P-1721] [P-1720]', () => {
  const { attachments, suggestedActions } = activityOf('c', CARD, undefined) as never as {
    attachments: readonly [{ content: { body: unknown; actions: readonly { data: never }[] } }]
    suggestedActions: { actions: readonly { title: string }[] }
  }
  const { body, actions } = attachments[0].content
  expect(body).toEqual([
    { type: 'ActionSet', actions: [{ type: 'Action.Submit', title: 'A', data: { a: 1, parleyMessage: '7' } }] },
  ])
  expect(actions).toEqual([
    { type: 'Action.Submit', title: 'OK', id: 'ok', data: { parleyMessage: '7' } },
    { type: 'Action.Submit', title: 'Texto', data: 'dito' },
    { type: 'Action.OpenUrl', title: 'Ver', url: 'https://x.example/' },
  ])
  expect(suggestedActions.actions.map(({ title }) => title)).toEqual(['Pular'])
  const sent = sentMessage({ type: 'message', value: { n: 'Ana', parleyMessage: '7' } } as never)
  expect(sent).toMatchObject({ type: 'submit', of: '7', data: { n: 'Ana' } })
})
