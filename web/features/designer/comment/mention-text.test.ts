import { expect, test } from 'vitest'
import { mentionPrefix } from '#web/components/mention/mention-text.ts'
import { EMPTY_COMMENT, insertMention, toStored, toWritten } from './thread.ts'

const ana = { id: 'a1', username: 'ana', firstname: 'Ana' }
const souza = { id: 'a2', username: 'ana.souza', firstname: 'Ana', lastname: 'Souza' }
const other = { id: 'a3', username: 'ana2', firstname: 'Ana' }

test('stores people by id and writes them by name, and distinguishes names with a common prefix', () => {
  const stored = 'Oi <@a1>, veja com <@a2> e <@a3>.'
  const written = toWritten(stored, [ana, souza, other])
  expect(written.text).toBe('Oi @Ana, veja com @Ana Souza e @ana2.')
  expect(toStored(written)).toBe(stored)
})

test('a forgotten person stays in a text that is edited', () => {
  const gone = { id: 'a4', username: null, forgotten: true } as const
  const written = toWritten('Era <@a4>', [gone])
  expect(toStored({ ...written, text: `${written.text}!` })).toBe('Era <@a4>!')
})

test('a name is begun by an @ that begins a word, and an address of mail begins none', () => {
  expect(mentionPrefix('olá @an', 7)).toBe('an')
  expect(mentionPrefix('(@Ana S', 7)).toBe('Ana S')
  expect(mentionPrefix('@', 1)).toBe('')
  expect(mentionPrefix('ana@exa', 7)).toBeUndefined()
  expect(mentionPrefix('@ana veja isto', 14)).toBeUndefined()
})

test('replaces the typed text with the chosen name, and puts the caret behind it', () => {
  const text = 'olá @an tudo bem'
  const { caret, ...written } = insertMention({ ...EMPTY_COMMENT, text }, 7, souza)
  expect(written.text).toBe('olá @Ana Souza tudo bem')
  expect(caret).toBe('olá @Ana Souza '.length)
  expect(toStored(written)).toBe('olá <@a2> tudo bem')
})
