import { beforeAll, expect, test } from 'vitest'
import { type NluModel, openModel } from './model.ts'
import { explainIntent, parseText } from './parse-text.ts'
import type { NluData } from './project-data.ts'
import { trainModel } from './train-model.ts'

/** The API takes no longer texts. */
const LONGEST = 4000
/** ms of the thread; the event loop is never held longer. */
const MAX_MS = 10

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Another word for each number. */
const word = (n: number): string => {
  let [rest, text] = [n * 7919 + 1, '']
  while (rest > 0) {
    text += LETTERS[rest % 26]
    rest = Math.floor(rest / 26)
  }
  return text
}
const data: NluData = {
  locale: 'pt',
  timezone: 'America/Sao_Paulo',
  intents: Array.from({ length: 100 }, (_, n) => ({
    name: `i${n}`,
    statements: [{ id: `s${n}`, text: `quero ${word(n)} da ${word(n + 500)} <b>&amp;` }],
    responses: [],
  })),
  entities: [
    {
      name: 'cidade',
      type: 'lookup',
      lookup: Array.from({ length: 10_000 }, (_, n) => ({ value: `${word(n)} ${word(n + 1)}`, synonyms: [] })),
    },
    ...(['number', 'date', 'time', 'currency', 'email', 'url', 'phone', 'cpf'] as const).map(name => ({
      name,
      type: 'system' as const,
      lookup: [],
    })),
  ],
  regexes: [],
  synonyms: [],
}

let model: NluModel
beforeAll(() => {
  const trained = trainModel(data, () => {})
  if (!trained.ok) throw new Error(trained.code)
  model = openModel(trained.bytes)
}, 60_000)

const OPTIONS = { fuzzy: true, now: Date.UTC(2026, 4, 4, 12), regexMatches: [] }

test.each([
  ['one word', 'a'],
  ['words of one letter', 'a '],
  ['markup', '<b>[x](y)</b>'],
  ['brackets', '[('],
  ['digits', '1'],
  ['numbers', '12/05 '],
  ['amounts', 'R$ 1.000,00 '],
  ['addresses', 'a@b.c '],
  ['dots', '.'],
  ['emoji', '😀'],
  ['marks on letters', 'é\u0301\u0302'],
  ['half characters', '\ud800'],
  ['known words', `${word(1)} ${word(2)} `],
  ['nearly known words', `${word(1)}x ${word(2)}y `],
  ['new lines', '\n'],
])('%s without end hold the thread at most 10 ms [N-5.10] [P-1090]', (_name, part) => {
  const text = part.repeat(Math.ceil(LONGEST / part.length)).slice(0, LONGEST)
  // Time of the thread alone, and the least of many runs: others may have the processor, or its caches, meanwhile.
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 15 || (run < 100 && least >= MAX_MS); run++) {
    const before = process.threadCpuUsage()
    const { ranking } = parseText(model, text, OPTIONS)
    explainIntent(model, text, ranking[0]?.name ?? '')
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  expect(least).toBeLessThan(MAX_MS)
})

test('intents of one line each are each found by their line [P-1090]', () => {
  for (const { name, statements } of data.intents)
    expect(parseText(model, statements[0]?.text ?? '', OPTIONS)).toMatchObject({ intent: name, confidence: 1 })
})
