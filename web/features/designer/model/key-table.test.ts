import { expect, test } from 'vitest'
import en from '#schemas/locales/en/designer.json' with { type: 'json' }
import { KEYS } from './key-table.ts'

/** Labels in the sheet for keys without a letter, or with two. */
const WRITTEN: Readonly<Record<string, string>> = {
  '!': '⇧1',
  '@': '⇧2',
  '=': '+',
  delete: 'Del',
  backspace: 'Del',
  escape: 'Esc',
  enter: 'Enter',
  home: 'Home',
  end: 'End',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  ' ': 'Space',
}

const written = (key: string) => {
  const plain = key.replace('⇧', '')
  return `${key === plain ? '' : '⇧'}${WRITTEN[plain] ?? plain.toUpperCase()}`
}

test('the sheet writes every key that is handled, and says what it does', () => {
  for (const { id, shown, ...columns } of KEYS) {
    const sheet = shown.join('')
    const handled = Object.values(columns as Readonly<Record<string, readonly string[]>>).flat()
    for (const key of handled) {
      // Redo has two keys; the sheet names one.
      if (key !== '⇧z') expect(sheet, id).toContain(written(key))
    }
    expect(en.keys[id]).not.toBe('')
  }
})
