import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#schemas/language.ts'
import en from '#schemas/locales/en/designer.json' with { type: 'json' }
import { sourceFiles } from '#test/lint/source-graph.ts'
import { DESIGNER_KEYS, KEYS } from './keys.ts'

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
  for (const { id, shown, ...columns } of DESIGNER_KEYS) {
    const sheet = shown.join('')
    const handled = Object.values(columns as Readonly<Record<string, readonly string[]>>).flat()
    for (const key of handled) {
      // Redo has two keys; the sheet names one.
      if (key !== '⇧z') expect(sheet, id).toContain(written(key))
    }
    expect(en.keys[id]).not.toBe('')
  }
})

/** Keys of dialogs and panels, and of a mode's own buttons, which show them. */
const shortcuts = () =>
  sourceFiles('web/**/*.tsx').flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/useShortcut\(\s*'([^']+)'/gu)].map(([, keys = '']) => keys),
  )

test('the sheet lists every key that a page handles, with its text in each language [P-2853]', () => {
  const shown = new Set(Object.values(KEYS).flatMap(rows => rows.map(row => row.shown.join(' ').toLowerCase())))
  const found = shortcuts()
  expect(found.length).toBeGreaterThan(15)
  for (const keys of found) {
    const sheet = keys.replace('mod+', 'ctrl ').replace('alt+', 'alt ').replace('Escape', 'esc').toLowerCase()
    expect(shown, keys).toContain(sheet)
  }
  for (const language of LANGUAGES) {
    const read = (name: string) =>
      JSON.parse(readFileSync(new URL(`../../schemas/locales/${language}/${name}.json`, import.meta.url), 'utf8')).keys
    const [own, designer, desk] = [read('help'), read('designer'), read('desk')]
    const texts = { ...own, designer, history: designer, desk }
    for (const [section, rows] of Object.entries(KEYS))
      for (const { id } of rows) expect(texts[section][id], `${language} ${section} ${id}`).toMatch(/\S/u)
  }
})
