import { describe, expect, test } from 'vitest'
import pt from '#schemas/locales/pt/conversation.json' with { type: 'json' }
import { deskText, fillCanned, gapsIn, momentText, waitOf } from './desk-text.ts'

const STANDARD = new Map(Object.entries(pt))
const MINUTE = 60_000

describe('texts of a queue', () => {
  test('are those of the language, with their values [P-2322]', () => {
    expect(deskText('waiting', [], STANDARD, { position: '2', wait: '5 min' })).toBe(
      'Você é o 2º da fila. Espera de cerca de 5 min.',
    )
    expect(deskText('joined', [], STANDARD, { agent: 'Camila' })).toBe('Camila entrou na conversa.')
  })

  test('leave out a sentence whose value is not known [P-2322]', () => {
    expect(deskText('nobody', [], STANDARD, {})).toBe('Não há ninguém agora.')
    expect(deskText('joined', [], STANDARD, {})).toBeUndefined()
  })

  test('are replaced by those of the queue, and an empty one says nothing [P-2322]', () => {
    const own = [
      { moment: 'left', text: '' },
      { moment: 'joined', text: 'Olá! Aqui é {agent}' },
    ] as const
    expect(deskText('left', own, STANDARD, { agent: 'Camila' })).toBeUndefined()
    expect(deskText('joined', own, STANDARD, { agent: 'Camila' })).toBe('Olá! Aqui é Camila')
  })

  test('tell a wait from five samples on, rounded up to minutes that people say [P-2323]', () => {
    const handled = (count: number, minutes: number) => Array.from({ length: count }, () => minutes * MINUTE)
    expect(waitOf(1, handled(4, 6), 2)).toBeUndefined()
    // Place 3, 6 minutes each, 2 places: 9 minutes.
    expect(waitOf(3, handled(5, 6), 2)).toBe('10 min')
    expect(waitOf(1, handled(5, 2), 4)).toBe('1 min')
    expect(waitOf(20, handled(5, 6), 1)).toBeUndefined()
    expect(waitOf(1, handled(5, 6), 0)).toBeUndefined()
  })

  test('name the next opening as people do, in the zone of the queue [P-2322]', () => {
    const at = (local: string) => Date.parse(`${local}:00-03:00`)
    const told = (local: string, locale: string) =>
      momentText(at(local), at('2026-11-13T18:30'), 'America/Sao_Paulo', locale)
    expect(told('2026-11-13T19:00', 'pt')).toBe('hoje às 19:00')
    expect(told('2026-11-14T08:00', 'en')).toBe('tomorrow at 08:00')
    expect(told('2026-11-16T08:00', 'pt')).toBe('segunda-feira às 08:00')
    expect(told('2026-12-01T08:00', 'es')).toBe('1 de diciembre a las 08:00')
  })
})

describe('a canned answer', () => {
  test('has its values, and names those that are missing [P-2324]', () => {
    const text = 'Oi {person.name}, aqui é {agent.name}. Pedido {field.pedido}, {outro}.'
    expect(fillCanned(text, { 'person.name': 'Ana', 'agent.name': 'Camila', 'field.pedido': '' })).toEqual({
      text: 'Oi Ana, aqui é Camila. Pedido {field.pedido}, {outro}.',
      missing: ['field.pedido'],
    })
    expect(gapsIn('Pedido {field.pedido} {field.pedido}')).toEqual(['field.pedido'])
    expect(gapsIn('{outro}')).toEqual([])
  })
})
