import { expect, test } from 'vitest'
import { INSTANCE_THEMES, themeOf } from './instance-theme.ts'

test('each of ten themes looks different, and production is the default [C-9.15]', () => {
  const names = Object.keys(INSTANCE_THEMES)
  const numbered = Array.from({ length: 7 }, (_, at) => `theme${at + 1}`)
  expect(names.toSorted()).toEqual(['development', 'preproduction', 'production', ...numbered])
  const looks = (part: (name: string) => unknown) => new Set(names.map(name => JSON.stringify(part(name)))).size
  expect(looks(name => themeOf(name).accent.solid)).toBe(10)
  expect(looks(name => themeOf(name).shape)).toBe(10)
  expect(themeOf('nothing')).toBe(INSTANCE_THEMES.production)
})
