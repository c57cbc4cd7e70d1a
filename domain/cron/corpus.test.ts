import { describe, expect, it } from 'vitest'
import { corpusJson } from '#test/fixture/corpus.ts'
import { type CronWords, describeCron } from './describe-cron.ts'
import { isCron, nextRuns } from './next-runs.ts'

/** By program, expression and options; docs/expressions.md gives the reasons. */
const DEVIATIONS: readonly string[] = [
  // An option of the other program decides, not the expression.
  'cron-parser H(1-5)/10 * * * * * {"$":"unresolved"}',
  'cron-parser 0 0 0 * H/60 * {"$":"unresolved"}',
  'cron-parser 0 0 0 H(0-5)/50 * * {"$":"unresolved"}',
  'croner * * * * * * {"maxRuns":1}',
  'croner * * * * * * {"$":"unresolved"}',
  'croner 15 9 * * mon {"domAndDow":false}',
  'croner * * * * * * {"mode":"invalid"}',
  'croner 0 * * * * {"mode":"7-part"}',
  'croner 0 * * * * {"mode":"6-or-7-parts"}',
  'croner 0 0 12 * * * {"utcOffset":900}',
  'croner 0 0 12 * * * {"utcOffset":-900}',
  'croner 0 0 12 * * * {"startAt":"hellu throw"}',
  'croner 0 0 12 * * * {"startAt":"00:35:00"}',
  'croner 0 0 12 * * * {"stopAt":"hellu throw"}',
  'croner 0 0 12 * * * {"unref":"hellu throw"}',
  'croner 0 0 12 * * * {"utcOffset":"hello"}',
  'croner 0 0 12 * * * {"utcOffset":3000}',
  'croner 0 0 12 * * * {"utcOffset":60,"timezone":"Europe/Stockholm"}',
  'croner 0 0 12 * * * {"stopAt":"00:35:00"}',
  'croner * /10 * * * * {"sloppyRanges":true}',
  // Four fields, the fifth put in by default.
  'cron-parser 20 15 * *',
  'cron-parser 20 15 * * {"$":"unresolved"}',
  // A year, or a moment instead of an expression.
  'cron-parser 0 0 0 31 4,6 * {"currentDate":"2024-01-01T00:00:00Z","tz":"UTC"}',
  'croner 2020-01-01T00:00:00',
  'croner 2020-01-01T00:00:00 {"domAndDow":false}',
  'croner 2200-01-01T00:00:00',
  'croner 0 0 12 1 1 * 2025-2027 {"mode":"7-part"}',
  'croner 0 0 0 * * * 2025 {"mode":"auto"}',
  'croner 30 0 0 * * * 2025 {"mode":"6-or-7-parts"}',
  'croner 0 0 0 * * * 2025 {"mode":"6-or-7-parts"}',
  'croner * * * * * * 2014',
  'croner 0 0 0 1 1 * 2024',
  'croner 0 0 0 1 1 * 2024-2026',
  'croner 2024-12-25T09:00:00',
  'croner 0 0 0 1 1 * 9999',
  'croner 0 0 1 1 * * 9999',
  // The weekday nearest to a day (`W`), the last of a range (`#L`), both days at once (`+`).
  'croner 0 0 29W 2 *',
  'croner 0 0 30W 2 *',
  'croner 0 0 31W 4 *',
  'croner 0 0 15W 1 *',
  'croner 0 0 1W 6 *',
  'croner 0 0 * * MON-FRIL',
  'croner 0 0 LW 5 *',
  'croner 0 0 0 * * FRI#L',
  'croner 0 0 L * +FRI',
  'croner 0 0 * * FRI#L',
  'croner 0 0 L 2 FRI#L {"domAndDow":false}',
  'croner 0 12 1 * +MON',
  'croner 0 12 15 * +5',
  'croner 0 12 1 * +MON-FRI',
  'croner 0 12 1 * +MON#1',
  'croner 0 0 0 * 2 SUN#L',
  'croner 0 0 0 * 2 THU-FRI#L',
  'croner 0 0 0 * * SAT-SUN#L,SUN#1',
  'croner 0 0 0 15W 7 * {"timezone":"Etc/UTC"}',
  'croner 0 0 0 19W 7 * {"timezone":"Etc/UTC"}',
  'croner 0 0 0 1W 6 * {"timezone":"Etc/UTC"}',
  'croner 0 0 Lw * *',
  'croner 0 0 lW * *',
  'croner 0 12 1 * +*',
  // The two programs say the opposite of each other; Parley says what cron-parser says.
  'croner 0 0 31 4 *',
  'croner 0/10 * * * * *',
  'croner 30/30 * * * * *',
  'croner 5/5 * * * * *',
  'croner * 0/10 * * * *',
  'croner * * * 5/2 * *',
]

interface CronCase {
  readonly expression: string
  readonly lib: string
  readonly options?: object
  readonly throws: boolean
  readonly derivedUTC?: { readonly 'cron-parser': unknown }
  readonly derivedSaoPaulo?: { readonly 'cron-parser': unknown }
}
interface WordsCase {
  readonly expression: string
  readonly options: (CronWords & { readonly locale?: string }) | null
  readonly text: string
}

const CASES = corpusJson<readonly CronCase[]>('cron/expressions.json')
const START = Date.parse('2024-01-01T00:00:00Z')
const nameOf = ({ lib, expression, options }: CronCase) =>
  `${lib} ${expression} ${options === undefined ? '' : JSON.stringify(options)}`.trim()
const isFrench = ({ text }: WordsCase) => /^(?:Tou[ts]|À |\d+ minutes après)/u.test(text)

describe('cron expressions of others', () => {
  it('are taken and refused as the corpus says', () => {
    const names = new Set(CASES.map(nameOf))
    const differing = CASES.filter(({ expression, throws }) => nextRuns(expression, START, 'UTC', 5).ok === throws)
    expect(new Set(CASES.map(({ throws }) => throws))).toEqual(new Set([true, false]))
    expect(new Set(differing.map(nameOf))).toEqual(new Set(DEVIATIONS.filter(name => names.has(name))))
  })

  it.each([
    ['derivedUTC', 'UTC'],
    ['derivedSaoPaulo', 'America/Sao_Paulo'],
  ] as const)('run when the corpus says: %s', (derived, zone) => {
    const cases = CASES.filter(one => Array.isArray(one[derived]?.['cron-parser']))
    const differing = cases.filter(one => {
      const expected = one[derived]?.['cron-parser'] as readonly string[]
      const runs = nextRuns(one.expression, START, zone, expected.length)
      return !runs.ok || JSON.stringify(runs.value) !== JSON.stringify(expected)
    })
    // Four fields are refused here. `H` is drawn by chance there; here it is the same each time.
    const known = ['20 15 * *', '0 0 H(0-5) * *']
    expect(cases).not.toEqual([])
    expect(differing).toEqual(cases.filter(({ expression }) => known.includes(expression)))
  })

  it('read as the corpus reads them in English, Portuguese and Spanish', () => {
    const cases = corpusJson<readonly WordsCase[]>('cron/descriptions.json')
    const languages = new Map([
      ['es', 'es'],
      ['pt_BR', 'pt'],
    ] as const)
    const differing = cases.filter(one => {
      const { locale, ...words } = one.options ?? {}
      const language = [...languages].find(([name]) => name === locale)?.[1] ?? 'en'
      return !isFrench(one) && describeCron(one.expression, language, words) !== one.text
    })
    expect(new Set(cases.map(({ options }) => options?.locale))).toEqual(new Set([undefined, 'es', 'pt_BR']))
    expect(differing).toEqual([])
  })
})

describe('cron expressions', () => {
  it('that cannot be read, or never run, are not kept [C-5.18]', () => {
    const wrong = ['', ' ', 'every day', '60 * * * *', '* * * * * * * *', '*'.repeat(1000), '0 0 31 4 *', '0 0 30 2 *']
    expect(wrong.filter(isCron)).toEqual([])
  })

  it('say the same times whenever they are asked', () => {
    expect(nextRuns('H H * * *', START, 'UTC', 3)).toEqual(nextRuns('H H * * *', START, 'UTC', 3))
  })

  it.each(['* *', '* * * *', '0 0 * *', '* * * * * * 2030', '@daily 5', '0 0 * * FRI-MON', '0 0 * * l'])(
    'refuses %s',
    expression => expect(isCron(expression)).toBe(false),
  )

  it.each([
    ['0 9 * * MON-SUN', '0 9 * * *'],
    ['0 9 * * sat-sun', '0 9 * * 0,6'],
    ['0 9 * * 0-6,1', '0 9 * * *'],
    ['0 9 * * MON,*', '0 9 * * *'],
    ['0 9 13 * 0-6,1', '0 9 * * *'],
    ['0 9 * * 1-0/2', '0 9 * * 1,3,5,7'],
    ['0 0 l * *', '0 0 L * *'],
    ['0 0 15,l * *', '0 0 15,L * *'],
    ['0 0 * * FRIl', '0 0 * * 5L'],
    ['0 9 * * 1-5,3', '0 9 * * 1-5'],
    ['*/10,30-35 * * * *', '0,10,20,30-35,40,50 * * * *'],
    ['*/5,*/7 0 * * *', '0,5,7,10,14,15,20,21,25,28,30,35,40,42,45,49,50,55,56 0 * * *'],
    ['0 0 1-5,3-8 * *', '0 0 1-8 * *'],
    ['0 0 1 JAN-MAR,2 *', '0 0 1 1-3 *'],
    ['0 0 0 13 * 1-5,MON', '0 0 0 13 * 1-5'],
    ['0 0 9 * * */2,0', '0 0 9 * * 0,2,4,6'],
    ['5-59/20,25 0-23,3 * * *', '5,25,45 * * * *'],
    ['@Weekly', '0 0 * * 0'],
    ['\t0  9 * * *\n', '0 9 * * *'],
  ])('runs %s when %s runs', (expression, other) => {
    const runs = nextRuns(expression, START, 'America/Sao_Paulo', 20)
    expect(runs).toMatchObject({ ok: true })
    expect(runs).toEqual(nextRuns(other, START, 'America/Sao_Paulo', 20))
  })

  it.each(['@Midnight', '0 0 * * * ', '0 0 0 * * * *', '0 0 * * 5l'])(
    '%s is a spelling of what is known',
    expression => {
      expect(isCron(expression)).toBe(true)
    },
  )

  it('have no words when they cannot be read', () => {
    expect(describeCron('every day', 'en')).toBeUndefined()
    expect(describeCron('@Daily', 'en')).toBe(describeCron('0 0 * * *', 'en'))
    expect(describeCron(' 0\t9 l * *', 'en')).toBe(describeCron('0 9 L * *', 'en'))
    expect(describeCron('0 9 * * 1', 'pt')).toBe('Às 09:00, somente de segunda-feira')
    expect(describeCron('0 9 * * 1', 'es')).toBe('A las 09:00, sólo el lunes')
  })
})
