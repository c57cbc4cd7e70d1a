import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '../../web')
const COMPONENT = /^export const ([A-Z][a-z]\w*) = (?:<[^>]*>)?\(/gmu

const read = (pattern: string): string =>
  globSync(pattern, { cwd: WEB })
    .map(file => readFileSync(join(WEB, file), 'utf8'))
    .join('\n')

test('the gallery renders every shared component', () => {
  const components = [...read('components/**/*.tsx').matchAll(COMPONENT)].map(([, name]) => name ?? '')
  expect(components.length).toBeGreaterThan(25)
  const gallery = read('gallery/*.tsx')
  expect(components.filter(name => !new RegExp(`<${name}\\b`, 'u').test(gallery))).toEqual([])
})
