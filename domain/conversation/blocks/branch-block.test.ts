import { describe, expect, it, test } from 'vitest'
import { ask, NOW, open, releaseOf, say, settingsWith, start, talk, variable } from '../fixture/talk.ts'

const HOUR = 3_600_000

describe('condition', () => {
  const rule = (source: string, comparison: string, values: readonly string[], more: object = {}) => ({
    source,
    comparison,
    values,
    ...more,
  })
  const branches = [
    {
      id: 'b1',
      label: 'maior',
      match: 'and',
      rules: [rule('expression', 'greater', ['10'], { expression: '{{n}}', datatype: 'numeric' })],
    },
    { id: 'b2', label: 'sim', match: 'and', rules: [rule('input', 'contains', ['sim'], { datatype: 'string' })] },
  ]
  const release = releaseOf({
    main: {
      start,
      a: ask('number', 'n', 'q'),
      q: ask('text', 'r', 'c'),
      c: {
        type: 'condition',
        properties: { conditions: branches as never },
        to: { b1: 'x', b2: 'y', output_default: 'z' },
      },
      x: say('maior'),
      y: say('sim'),
      z: say('senão'),
    },
  })

  test.each([
    ['11', 'sim', 'maior', 'b1'],
    ['2', 'digo sim', 'sim', 'b2'],
    ['2', 'não', 'senão', 'output_default'],
  ])(
    'leaves by the first branch that holds, else by the default: %s, %s [D-3.12.14] [R-26]',
    async (n, r, said, out) => {
      const chat = talk(release, settingsWith({ variables: [variable('n', 'number'), variable('r')] }))
      await chat.say(open)
      await chat.say(n)
      expect(await chat.say(r)).toEqual([said])
      expect(chat.last.steps.find(({ block }) => block === 'c')?.out).toBe(out)
    },
  )
})

describe('workinghour', () => {
  const at = (properties: object, days: readonly string[] = []) =>
    talk(
      releaseOf({
        main: {
          start,
          a: { type: 'workinghour', properties: properties as never, to: { output_1: 'b', output_outside: 'c' } },
          b: say('aberto'),
          c: say('fechado'),
        },
      }),
      settingsWith(),
      { holiday: () => ({ days }) },
    )
  /** Tuesday, 5 May 2026, at an hour of São Paulo. */
  const tuesday = (hour: number) => NOW + (hour - 10) * HOUR
  const hours = { startTime: '08:00', endTime: '18:00' }

  test.each([
    ['within the hours', hours, 10, 'aberto'],
    ['before them', hours, 7, 'fechado'],
    ['at their end', hours, 18, 'fechado'],
    ['in another zone', { ...hours, timezone: 'Asia/Tokyo' }, 10, 'fechado'],
    ['on a weekend', hours, 10 + 4 * 24, 'fechado'],
    ['on a weekend that is worked', { ...hours, hours: { saturday: { closed: false } } }, 10 + 4 * 24, 'aberto'],
    [
      'on a day that is named',
      { ...hours, specificHolidaysMenu: true, specificHolidays: [{ date: '2026-05-05' }] },
      10,
      'fechado',
    ],
    ['where nobody knows the zone', { ...hours, timezone: 'Mars/Olympus' }, 10, 'fechado'],
  ])('tells within from outside: %s [D-3.12.28] [R-27]', async (_title, properties, hour, said) => {
    expect(await at(properties).say(open, tuesday(hour))).toEqual([said])
  })

  it('is closed on holidays of its country, state and kinds [D-3.12.28] [R-27]', async () => {
    const chat = at({ ...hours, country: 'BR', state: 'SP', holidayTypes: ['public', 'bank'] }, ['2026-05-05'])
    expect(await chat.say(open, tuesday(10))).toEqual(['fechado'])
    expect(chat.effects[0]).toMatchObject({ kind: 'holiday', country: 'BR', state: 'SP', kinds: ['public', 'bank'] })
    expect(chat.last.problems).toEqual([])
  })
})
