import { expect, test } from 'vitest'
import { messageRows, missingLocales, resolvedMessage } from './locale-message.ts'

type MessageEntry = Parameters<typeof messageRows>[0][number]

const entry = (text: string, distance: number, more: Partial<MessageEntry> = {}) => ({
  locale: 'pt',
  namespace: null,
  code: 'hello',
  enabled: true,
  distance,
  text,
  ...more,
})

const said = (...entries: readonly ReturnType<typeof entry>[]) =>
  messageRows(entries).map(({ code, cells }) => [code, resolvedMessage(cells.get('pt'))?.text])

test('the own message is used before those of the levels above, and the nearest of these first', () => {
  expect(said(entry('root', 2), entry('level', 1))).toEqual([['hello', 'level']])
  expect(said(entry('level', 1), entry('own', 0), entry('root', 2))).toEqual([['hello', 'own']])
})

test('a message that is off is not used, and the own one stays known', () => {
  const rows = messageRows([
    entry('own', 0, { enabled: false }),
    entry('near', 1, { enabled: false }),
    entry('root', 2),
  ])
  expect(rows[0]?.cells.get('pt')).toMatchObject({ own: { text: 'own' }, inherited: { text: 'root' } })
  expect(resolvedMessage(rows[0]?.cells.get('pt'))?.text).toBe('root')
  expect(messageRows([entry('near', 1, { enabled: false })])).toEqual([])
})

test('namespace and code are compared as names are, and order the rows', () => {
  const rows = messageRows([
    entry('b', 1, { code: 'Bye' }),
    entry('own', 0, { code: 'BYE', locale: 'en' }),
    entry('shop', 1, { namespace: 'shop', code: 'a' }),
    entry('a', 1, { code: 'a' }),
  ])
  expect(rows.map(({ namespace, code }) => [namespace, code])).toEqual([
    [null, 'a'],
    [null, 'BYE'],
    ['shop', 'a'],
  ])
  expect(rows.map(row => missingLocales(row, ['en', 'pt']))).toEqual([['en'], [], ['en']])
})
