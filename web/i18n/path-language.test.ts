import { expect, test } from 'vitest'
import { hasUnsupportedLanguage, pathIn, readLanguagePath } from './path-language.ts'

test('reads the language when a path begins with one [C-2.87]', () => {
  expect(readLanguagePath('/botadmin/pt/bot/search')).toEqual({ language: 'pt', rest: '/bot/search' })
  expect(readLanguagePath('/botadmin/es')).toEqual({ language: 'es', rest: '/' })
  expect(readLanguagePath('/botadmin/')).toEqual({ language: undefined, rest: '/' })
  expect(readLanguagePath('/botadmin/bot/es')).toEqual({ language: undefined, rest: '/bot/es' })
  expect(readLanguagePath('/botadmin/especial')).toEqual({ language: undefined, rest: '/especial' })
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
