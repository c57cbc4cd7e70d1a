import { expect, test } from 'vitest'
import { blocks } from '#schemas/blocks/registry.ts'
import en from '#schemas/locales/en/block.json' with { type: 'json' }
import es from '#schemas/locales/es/block.json' with { type: 'json' }
import pt from '#schemas/locales/pt/block.json' with { type: 'json' }
import type { Translate } from '../model/label.ts'
import { rankedBlocks } from './block-palette.tsx'

const TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = { en, es, pt }
const translate =
  (language: string): Translate =>
  (key, values) =>
    TEXTS[language]?.[key.replace('block:', '')] ?? String(values?.defaultValue ?? key)
const firstOf = (language: string, search: string) => rankedBlocks(search, translate(language))[0]?.type
const typesOf = (language: string, search: string) => rankedBlocks(search, translate(language)).map(({ type }) => type)

test.each([
  ['pt', 'api', 'restservice'],
  ['pt', 'HTTP', 'restservice'],
  ['pt', 'webhook', 'restservice'],
  ['pt', 'se', 'condition'],
  ['pt', 'if', 'condition'],
  ['pt', 'javascript', 'handler'],
  ['pt', 'esperar', 'schedule'],
  ['en', 'wait', 'schedule'],
  ['es', 'si', 'condition'],
  ['es', 'esperar', 'schedule'],
])('ranks first in %s for "%s": %s [P-1840]', (language, search, type) => {
  const [first, ...others] = typesOf(language, search)
  expect([first, ...others]).toContain(type)
  // Another block may share the word; none may stand before it without it.
  const words = TEXTS[language]?.[`synonym.${first}`]?.split(' ')
  expect(first === type || words?.includes(search.toLowerCase())).toBe(true)
})

test.each([
  ['pt', 'botão', ['prompt', 'herocard', 'carousel']],
  ['pt', 'botao', ['prompt', 'herocard', 'carousel']],
  ['pt', 'menu', ['prompt', 'herocard']],
  ['pt', 'email', ['prompt', 'sendmessage']],
  ['pt', 'loop', ['transformdata', 'gotonodesrc', 'goback']],
  ['pt', 'arquivo', ['prompt', 'mediacard']],
  ['en', 'button', ['prompt', 'herocard', 'carousel']],
  ['en', 'file', ['prompt', 'mediacard']],
  ['es', 'archivo', ['prompt', 'mediacard']],
])('finds in %s for "%s" every block that does it [P-1840]', (language, search, types) => {
  expect(typesOf(language, search)).toEqual(expect.arrayContaining(types))
})

test('prefers the whole name to a synonym [P-1840]', () => {
  expect(firstOf('en', 'text')).toBe('text')
  expect(firstOf('pt', 'cond')).toBe('condition')
})

test.each([
  ['en', 'question', 'prompt'],
  ['pt', 'pergunta', 'prompt'],
  ['es', 'pregunta', 'prompt'],
])('ranks in %s for "%s" first the block that it names mainly: %s [P-2130]', (language, search, type) => {
  expect(firstOf(language, search)).toBe(type)
})

test('matches beginnings of words only for searches of two letters [P-1840]', () => {
  // "mensagem" contains "se" and begins with another letter.
  expect(typesOf('pt', 'se')).not.toContain('text')
})

test('has synonyms in three languages for every block of the palette [P-1840]', () => {
  for (const [language, texts] of Object.entries(TEXTS))
    for (const type of Object.keys(blocks)) expect(texts[`synonym.${type}`], `${language} ${type}`).toBeTruthy()
})
