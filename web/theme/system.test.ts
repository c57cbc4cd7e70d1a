import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { systemOf } from './system.ts'

/** Properties that browsers animate without layout or paint. */
const FREE: ReadonlySet<string> = new Set(['translate', 'scale', 'rotate', 'opacity'])

test.each(['parley-run', 'parley-drift', 'parley-drift-back'])('%s repeats endlessly and costs no frame', name => {
  const steps: object[] = Object.values(systemOf('production')._config.theme?.keyframes?.[name] ?? {})
  expect(steps).not.toHaveLength(0)
  expect(steps.flatMap(step => Object.keys(step)).filter(property => !FREE.has(property))).toEqual([])
})

test('has every token that a style sheet or a component names', () => {
  const { tokens } = systemOf('production')
  const known = new Set(tokens.allTokens.map(({ extensions }) => extensions.cssVar?.var))
  const cwd = new URL('..', import.meta.url).pathname
  const textOf = (file: string) => readFileSync(`${cwd}${file}`, 'utf8')
  const files = globSync('**/*.{css,tsx}', { cwd, exclude: ['dist'] })
  const named = files.flatMap(file => {
    const text = textOf(file)
    const variables = [...text.matchAll(/var\((--chakra-[a-z0-9-]+)[,)]/gu)].map(([, name = '']) => name)
    const palettes = [...text.matchAll(/colorPalette="([^"]+)"/gu)].map(([, name]) => `--chakra-colors-${name}-solid`)
    return [...variables, ...palettes].map(name => ({ file, name }))
  })
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ name }) => !known.has(name))).toEqual([])
})
