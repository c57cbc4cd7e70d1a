import { describe, expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { lockedParameters, needsBot, reportBehaviour } from './report.ts'

const place = { bot: 'b1', hierarchylevel: 'l1', user: 'u1' }
const check = (parameters: Json) => {
  const result = reportBehaviour.onCreate({ parameters })
  return result.ok ? 'ok' : result.refusal.errors?.map(({ path, params }) => `${path} ${params?.rule}`).join()
}

describe('the parameters of a report', () => {
  test('replaces placeholders with the bot, the level and the person [P-203]', () => {
    const parameters = { bot: '{bot}', level: '{hierarchylevel}', who: ['{user}', 'team'], period: 'past30days', n: 3 }
    expect(lockedParameters(parameters, place)).toEqual({
      bot: 'b1',
      level: 'l1',
      who: ['u1', 'team'],
      period: 'past30days',
      n: 3,
    })
    expect(needsBot(parameters)).toBe(true)
    expect(needsBot({ who: ['{user}'] })).toBe(false)
  })

  test('are none, not others, while a placeholder has no value', () => {
    expect(lockedParameters({ bot: '{bot}' }, { ...place, bot: undefined })).toBeUndefined()
    expect(lockedParameters({ bot: null }, { ...place, bot: undefined })).toEqual({ bot: [] })
    expect(lockedParameters(null, place)).toEqual({})
  })

  test.each<readonly [Json, string]>([
    [null, 'ok'],
    [{}, 'ok'],
    ['{"bot": "{bot}"}', 'ok'],
    [{ a: ['x', 1, true], b: null }, 'ok'],
    ['not json', 'parameters reportparameters'],
    [[1], 'parameters reportparameters'],
    [{ 'a b': 1 }, 'parameters reportslug'],
    [{ a: { b: 1 } }, 'parameters.a reportvalue'],
    [{ a: [[1]] }, 'parameters.a reportvalue'],
    [{ a: 'x'.repeat(501) }, 'parameters.a reportvalue'],
    [{ a: '{level}' }, 'parameters.a reportplaceholder'],
    [Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`p${at}`, 1])), 'parameters reportparameters'],
  ])('%j is %s', (parameters, outcome) => {
    expect(check(parameters)).toBe(outcome)
  })
})
