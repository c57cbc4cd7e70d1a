import { describe, expect, test } from 'vitest'
import { openPhones } from '../audience/phone.ts'
import {
  clockAt,
  PERSONAS,
  personaAt,
  personaBehaviour,
  personaPhone,
  personaScopedId,
  personaWaId,
  qualityAfter,
  type Reaction,
  reactionOf,
  simulatedNow,
  simulationConflict,
} from './simulated-number.ts'

const EVERYBODY = Array.from({ length: PERSONAS }, (_, persona) => persona)
const given = (persona: number, more: object = {}) => ({
  ...{ seed: 'a', persona, attempt: 1, isTemplate: true, isBlocked: false, replies: ['Sim', 'Não'], language: 'pt_BR' },
  ...more,
})
const statuses = ({ steps }: Reaction) =>
  steps.flatMap(step => (step.kind === 'status' ? [step.code ?? step.status] : []))
const replies = ({ steps }: Reaction) => steps.filter(({ kind }) => kind === 'reply')

describe('personas', () => {
  test('have the numbers +55 11 90000-0000 to -0199, valid and found in every spelling [P-2562]', async () => {
    const read = await openPhones()
    expect([personaPhone(0), personaPhone(199)]).toEqual(['+5511900000000', '+5511900000199'])
    for (const persona of EVERYBODY) {
      const reading = read(personaPhone(persona))
      expect(reading).toMatchObject({ ok: true, phone: { e164: personaPhone(persona), country: 'BR' } })
      const spellings = reading.ok ? [...reading.phone.aliases, reading.phone.e164] : []
      for (const spelling of [...spellings, personaWaId(persona), personaScopedId(persona)])
        expect(personaAt(spelling), spelling).toBe(persona)
    }
    for (const other of ['+5511900000200', '+5511910000000', '+5521900000001', '5511987650001', 'BR.1', ''])
      expect(personaAt(other), other).toBeUndefined()
  })

  test('are written to by simulated numbers alone, which write to nobody else [P-2563]', () => {
    expect(simulationConflict(false, '+55 11 90000-0007')).toBe('simulated')
    expect(simulationConflict(false, '551100000007')).toBe('simulated')
    expect(simulationConflict(true, '+55 11 98765-4321')).toBe('nopersona')
    expect(simulationConflict(true, '5511900000007')).toBeUndefined()
    expect(simulationConflict(false, '5511987654321')).toBeUndefined()
  })

  test('react by the last two digits of their numbers, and equally for equal seeds [P-2564]', () => {
    const reaction = (persona: number, more: object = {}) => reactionOf(given(persona, more))
    for (const base of [0, 100]) {
      expect([80, 81, 82, 83].map(end => statuses(reaction(base + end)))).toEqual([
        ['sent', 131_026],
        ['sent', 131_049],
        ['sent', 131_050],
        ['sent', 130_472],
      ])
      const codes = [84, 85, 94, 95].map(end => reaction(base + end).answer)
      expect(codes.map(answer => (answer.kind === 'refused' ? answer.code : answer.kind))).toEqual([
        131_056, 130_429, 132_015, 190,
      ])
      const second = [84, 85, 87, 94, 95].map(end => reaction(base + end, { attempt: 2 }).answer.kind)
      expect(second).toEqual(['taken', 'taken', 'taken', 'taken', 'taken'])
      expect([86, 87, 88].map(end => reaction(base + end).answer.kind)).toEqual(['failed', 'cut', 'lost'])
      expect(statuses(reaction(base + 89))).toEqual(['sent', 131_026, 'delivered'])
      expect(statuses(reaction(base + 90))).toEqual(['read', 'read', 'delivered', 'delivered', 'sent', 'sent'])
      expect([91, 92].map(end => replies(reaction(base + end)).length)).toEqual([1, 1])
      expect(reaction(base + 93).steps).toEqual([])
    }
    expect(personaWaId(92)).toBe('551100000092')
    expect(personaBehaviour(79)).toBe('usual')
    expect(reaction(5)).toEqual(reaction(5))
  })

  test('read at 60 %, answer at 11 % and opt out at 1 % of usual messages, each within its time [P-2565]', () => {
    const usual = Array.from({ length: 20_000 }, (_, seed) => reactionOf(given(seed % 80, { seed: String(seed) })))
    const share = (isCounted: (reaction: Reaction) => boolean) => usual.filter(isCounted).length / usual.length
    expect(share(reaction => statuses(reaction).includes('read'))).toBeCloseTo(0.6, 1)
    expect(Math.abs(share(reaction => replies(reaction).length > 0) - 0.11)).toBeLessThan(0.01)
    const stops = share(({ steps }) => steps.some(step => step.kind === 'reply' && step.text === 'SAIR'))
    expect(Math.abs(stops - 0.01)).toBeLessThan(0.004)
    const reads = usual.flatMap(({ steps }) =>
      steps.flatMap(step => (step.kind === 'status' && step.status === 'read' ? [step.after] : [])),
    )
    expect(Math.min(...reads)).toBeGreaterThanOrEqual(3000)
    expect(Math.max(...reads)).toBeLessThanOrEqual(30_000)
    // A bot's answers are read, and never answered.
    const freely = Array.from({ length: 500 }, (_, seed) =>
      reactionOf(given(1, { seed: String(seed), isTemplate: false })),
    )
    expect(freely.some(reaction => replies(reaction).length > 0)).toBe(false)
    expect(statuses(reactionOf(given(1, { isBlocked: true })))).toEqual(['sent'])
  })
})

test('keeps the time of a simulated clock when its speed changes [P-2566]', () => {
  const clock = { real: 1000, simulated: 1000, speed: 1 }
  const fast = clockAt(clock, 3000, 100)
  expect(simulatedNow(fast, 3000)).toBe(3000)
  expect(simulatedNow(fast, 3010)).toBe(4000)
  expect(clockAt(fast, 3010, 500)).toEqual({ real: 3010, simulated: 4000, speed: 100 })
  expect([0, 1, 2, 4, 5].map(qualityAfter)).toEqual(['GREEN', 'GREEN', 'YELLOW', 'YELLOW', 'RED'])
})
