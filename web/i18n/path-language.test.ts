import { afterEach, expect, test, vi } from 'vitest'
import { addressLanguage, hasUnsupportedLanguage, pathIn } from './path-language.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['/botadmin/pt/bot/search', 'pt', '/botadmin/bot/search'],
  ['/botadmin/es', 'es', '/botadmin/'],
  ['/botadmin/', undefined, '/botadmin/'],
  ['/botadmin/bot/es', undefined, '/botadmin/bot/es'],
  ['/botadmin/especial', undefined, '/botadmin/especial'],
])('reads the language when a path begins with one: %s [C-2.87]', (pathname, language, rest) => {
  vi.stubGlobal('location', { pathname })
  expect(addressLanguage()).toBe(language)
  expect(pathIn('en', pathname)).toBe(rest)
})

test('finds a language that the console does not have when a path begins with it [C-2.88]', () => {
  for (const path of ['/fr', '/fr/bot/search', '/zh-Hant/bot']) expect(hasUnsupportedLanguage(path), path).toBe(true)
  for (const path of ['/', '/bot/fr', '/bot', '/audit', '/es/bot'])
    expect(hasUnsupportedLanguage(path), path).toBe(false)
})

test('has no prefix when the language is the fallback language [C-2.89]', () => {
  expect(pathIn('en', '/botadmin/en/bot/search')).toBe('/botadmin/bot/search')
  expect(pathIn('es', '/botadmin/pt/')).toBe('/botadmin/es/')
  expect(pathIn('pt', '/botadmin/bot/search')).toBe('/botadmin/pt/bot/search')
})
