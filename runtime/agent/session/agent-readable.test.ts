import { expect, test } from 'vitest'
import type { ChatMessage } from '../../port.ts'
import { personName, placeText, transcriptOf } from './agent-session-loop.ts'

const MAP = 'https://www.google.com/maps?q=-23.56,-46.65'

test.each([
  [{ latitude: -23.56, longitude: -46.65 }, MAP],
  [{ name: 'Loja', address: 'Av. Paulista, 1', latitude: -23.56, longitude: -46.65 }, `Loja\nAv. Paulista, 1\n${MAP}`],
  [{ name: 'Loja', geo: { latitude: '-23.56', longitude: '-46.65' } }, `Loja\n${MAP}`],
  [{ address: 'Av. Paulista, 1' }, 'Av. Paulista, 1'],
  [{ latitude: 'north' }, ''],
  [null, ''],
])('gives agents a place as name, address and map: %j [P-2412]', (data, text) => {
  expect(placeText(data)).toBe(text)
})

test('writes a transcript as time, name and text, never as JSON [P-2412]', () => {
  const message = (change: object): ChatMessage =>
    ({
      id: '1',
      position: '1',
      time: '2026-05-04T12:12:30.000Z',
      from: 'user',
      type: 'text',
      actions: [],
      ...change,
    }) as ChatMessage
  const talk = [
    message({ from: 'bot', text: 'Onde você está?' }),
    message({ type: 'location', text: '{"latitude":-23.56}', data: { latitude: -23.56, longitude: -46.65 } }),
    message({ type: 'attachment', text: '', attachments: [{ name: 'a.pdf', contentUrl: 'https://f.example/a' }] }),
    message({ from: 'agent', name: 'Ana', text: 'Olá' }),
    message({ from: 'bot', type: 'card', text: '', actions: [{ title: 'Sim' }, { title: 'Não' }] }),
    message({ from: 'bot', type: 'video', text: '' }),
  ]
  expect(transcriptOf(talk, 'Luana')).toBe(
    [
      '09:12 Bot: Onde você está?',
      `09:12 Luana: ${MAP}`,
      '09:12 Luana: a.pdf: https://f.example/a',
      '09:12 Ana: Olá',
      '09:12 Bot: Sim · Não',
      '09:12 Bot: [video]',
    ].join('\n'),
  )
})

test.each([
  ['Luana ', 'visitor-1', 'pt', 'Luana'],
  ['', '5511999990000', 'pt', '5511999990000'],
  ['', 'visitor-1', 'pt', 'Visitante'],
  [' ', 'visitor-1', 'en', 'Visitor'],
])('names a person %j with the id %s in %s to agents as %s [P-2412]', (name, id, locale, expected) => {
  expect(personName(name, id, locale)).toBe(expected)
})
