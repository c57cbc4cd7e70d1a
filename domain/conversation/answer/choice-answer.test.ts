import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, ODD_TEXTS } from '#test/fixture/any-text.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { type AnswerOption, pressedOption, readChoice } from './choice-answer.ts'

const OPTIONS: readonly AnswerOption[] = [
  { title: 'Segunda via', value: 'bill' },
  { title: 'Falar com atendente', value: 'agent' },
  { title: 'Não', value: '' },
  { title: '2 GB', value: 'plan-2' },
  { title: 'C++ 👍', value: 'cpp' },
]

const read = (said: string, fuzzy = false, options = OPTIONS) => {
  const result = readChoice(said, options, fuzzy)
  return result.ok ? result.value : undefined
}

describe('choice [D-5.19]', () => {
  test.each([
    ['Segunda via', 'bill'],
    ['  SEGUNDA   VIA. ', 'bill'],
    ['bill', 'bill'],
    ['BILL', 'bill'],
    ['nao', 'Não'],
    ['2 gb', 'plan-2'],
    ['c++', 'cpp'],
    ['1', 'bill'],
    ['1.', 'bill'],
    ['1)', 'bill'],
    ['(1)', 'bill'],
    ['1º', 'bill'],
    ['1️⃣', undefined],
    ['#2', 'agent'],
    ['02', 'agent'],
    ['opção 2', 'agent'],
    ['Option 2', 'agent'],
    ['opción 3', 'Não'],
    ['nº 3', 'Não'],
    ['0', undefined],
    ['6', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e0', undefined],
    ['٢', undefined],
    ['½', undefined],
    ['segunda', undefined],
    ['segunda vai', undefined],
    ['', undefined],
    ['__proto__', undefined],
  ])('%j chooses %j', (said, value) => {
    expect(read(said)).toBe(value)
  })

  test.each([
    ['segunda vai', 'bill'],
    ['falar com atendete', 'agent'],
    ['falra com o atendente', 'agent'],
    ['falra com um atendente', undefined],
    ['nap', undefined],
    ['sgeunda vai', 'bill'],
    ['sgeund vai', undefined],
  ])('%j chooses %j when fuzzy', (said, value) => {
    expect(read(said, true)).toBe(value)
  })

  test('a title that is a number comes before the place of an option, a value after it', () => {
    const sizes = ['10', '20', '2'].map(title => ({ title, value: '' }))
    expect(read('2', false, sizes)).toBe('2')
    const swapped = [
      { title: 'A', value: '2' },
      { title: 'B', value: '1' },
      { title: 'C', value: '7' },
    ]
    expect(['1', '2', '7'].map(said => read(said, false, swapped))).toEqual(['2', '1', '7'])
  })

  test('nothing is chosen where two are as near, or where nothing is offered', () => {
    const near = [
      { title: 'Marcos', value: '1' },
      { title: 'Marcas', value: '2' },
    ]
    expect(read('marcus', true, near)).toBeUndefined()
    expect(read('marcos', true, near)).toBe('1')
    expect(read('1', true, [])).toBeUndefined()
  })

  test('a pressed option is found by its value as it was sent', () => {
    expect(pressedOption('bill', OPTIONS)).toEqual({ ok: true, value: 'bill' })
    expect(pressedOption('Não', OPTIONS)).toEqual({ ok: true, value: 'Não' })
    expect(pressedOption('Segunda via', OPTIONS)).toEqual({ ok: true, value: 'bill' })
    expect(pressedOption('Bill', OPTIONS)).toEqual({ ok: false })
    expect(pressedOption(2, [{ title: 'Two', value: '2' }])).toEqual({ ok: true, value: '2' })
    expect(pressedOption(null, OPTIONS)).toEqual({ ok: false })
  })

  test('survives odd texts at once, as option too', () => {
    const odd = ODD_TEXTS.map(title => ({ title, value: title }))
    const began = processorMs()
    for (const text of ODD_TEXTS) expect(typeof readChoice(text, [...OPTIONS, ...odd], true).ok).toBe('boolean')
    expect(processorMs() - began).toBeLessThan(3_000)
  })

  test('never throws, and chooses what is offered alone', () => {
    const options = fc.array(fc.record({ title: anyText(10), value: anyText(4) }), { maxLength: 6 })
    fc.assert(
      fc.property(anyText(), options, fc.boolean(), (said, offered, fuzzy) => {
        const value = read(said, fuzzy, offered)
        if (value !== undefined) expect(offered.flatMap(({ title, value: of }) => [title, of])).toContain(value)
      }),
    )
  })

  test('every option is chosen by its own title and by its number', () => {
    const titles = fc.uniqueArray(fc.stringMatching(/^[a-z]{3,12}$/), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(titles, fc.boolean(), (names, fuzzy) => {
        const options = names.map(title => ({ title, value: `=${title}` }))
        for (const [place, { title, value }] of options.entries()) {
          expect(read(title, fuzzy, options)).toBe(value)
          expect(read(`${place + 1}`, fuzzy, options)).toBe(value)
        }
      }),
    )
  })
})
