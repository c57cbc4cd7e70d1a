import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const LOCALES = join(import.meta.dirname, '../../schemas/locales')

const keysOf = (texts: object, under = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${under}${key}.`) : [under + key],
  )
const keysIn = (language: string, file: string) =>
  keysOf(JSON.parse(readFileSync(join(LOCALES, language, file), 'utf8'))).toSorted()

const files = globSync('**/*.json', { cwd: join(LOCALES, 'en') })

test.each(files)('%s has the same texts in all three languages, so that none needs another to fall back to', file => {
  const english = keysIn('en', file)
  expect(keysIn('pt', file)).toEqual(english)
  expect(keysIn('es', file)).toEqual(english)
})
