import { expect, test } from 'vitest'
import { blockOf } from '#schemas/blocks/registry.ts'
import en from '#schemas/locales/en/block.json' with { type: 'json' }
import es from '#schemas/locales/es/block.json' with { type: 'json' }
import pt from '#schemas/locales/pt/block.json' with { type: 'json' }
import { paletteEntry, QUESTION_KINDS, rankedQuestions } from './question-kinds.ts'

const wordsOf = (texts: Readonly<Record<string, string>>) => (key: string) => texts[key.replace('block:', '')] ?? ''

test('an entry of a question is a prompt with the kind of its answer, and its other defaults [P-2948]', () => {
  expect(paletteEntry('prompt:email')).toMatchObject({
    type: 'prompt',
    kind: 'email',
    properties: { data: { type: 'text', validationType: 'Email', text: expect.anything(), options: [] } },
  })
  for (const entry of ['text', 'prompt', 'prompt:unknown', 'text:email'])
    expect(paletteEntry(entry)).toEqual({ type: entry })
})

test('each kind of question is one that a prompt can be [P-2948]', () => {
  const data = blockOf('prompt')?.fields.data
  const fields = data?.kind === 'group' ? data.fields : {}
  for (const kind of Object.values(QUESTION_KINDS))
    for (const [name, value] of Object.entries(kind)) {
      const field = fields[name]
      expect(field?.kind === 'enumeration' ? field.options : []).toContain(value)
    }
})

test.each([
  [
    'en',
    en,
    [
      ['email', 'email'],
      ['menu', 'choice'],
      ['upload', 'file'],
      ['yes', 'confirm'],
    ],
  ],
  [
    'pt',
    pt,
    [
      ['e-mail', 'email'],
      ['botão', 'choice'],
      ['arquivo', 'file'],
      ['celular', 'phone'],
    ],
  ],
  [
    'es',
    es,
    [
      ['correo', 'email'],
      ['botón', 'choice'],
      ['archivo', 'file'],
      ['móvil', 'phone'],
    ],
  ],
] as const)('finds kinds of questions by name and synonym in %s [P-2948]', (_language, texts, searches) => {
  for (const [search, kind] of searches) expect(rankedQuestions(search, wordsOf(texts))[0]?.kind).toBe(kind)
})
