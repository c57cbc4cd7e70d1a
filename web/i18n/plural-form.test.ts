import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import i18next from 'i18next'
import { expect, test } from 'vitest'
import { withPlurals } from './plural-form.ts'

const LOCALES = join(import.meta.dirname, '../../schemas/locales')
const textsOf = (language: string, file: string) =>
  withPlurals(JSON.parse(readFileSync(join(LOCALES, language, `${file}.json`), 'utf8')))

test.each([
  ['pt', ['0 testes falham', '1 teste falha', '2 testes falham', '1000000 testes falham']],
  ['en', ['0 tests fail', '1 test fails', '2 tests fail', '1000000 tests fail']],
  ['es', ['0 pruebas fallan', '1 prueba falla', '2 pruebas fallan', '1000000 pruebas fallan']],
])('none and a million are counted as many in %s [P-2211]', async (lng, words) => {
  const texts = i18next.createInstance()
  await texts.init({ lng, resources: { [lng]: { conversationtest: textsOf(lng, 'conversationtest') } } })
  expect([0, 1, 2, 1_000_000].map(count => texts.t('conversationtest:mark.failed', { count }))).toEqual(words)
})

test('keeps a text for none [P-2211]', () => {
  expect(textsOf('es', 'history')).toMatchObject({ changedfields_zero: 'cambió', count_zero: '{{count}} cambios' })
})
