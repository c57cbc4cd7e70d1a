import { expect, test } from 'vitest'
import { readYaml } from './yaml.ts'

const mapOf = (count: number) => `a: { ${Array.from({ length: count }, (_, place) => `k${place}: 1`).join(', ')} }\n`

test('refuses keys that repeat one of their mapping, at the place of the key [P-1616]', () => {
  const { document, lines } = readYaml(
    'a: 1\nb:\n  c: 1\n  c: 2\nA: { x: 1, x: 2 }\na: [{ y: 1 }, { y: 1 }]\n1: x\n"1": y\n',
  )
  const found = document.errors.map(({ code, message, pos }) => ({ code, message, line: lines.linePos(pos[0]).line }))
  const unique = (line: number, column: number) => ({
    ...{ code: 'DUPLICATE_KEY', line, message: `Map keys must be unique at line ${line}, column ${column}` },
  })
  expect(found).toEqual([unique(4, 3), unique(5, 12), unique(6, 1)])
})

test('reads a mapping in a time that grows with its length [P-1616]', () => {
  const msOf = (source: string) => {
    const began = process.threadCpuUsage()
    expect(readYaml(source).document.errors).toEqual([])
    const { user, system } = process.threadCpuUsage(began)
    return (user + system) / 1000
  }
  msOf(mapOf(5_000))
  const [short, long] = [mapOf(5_000), mapOf(40_000)].map(msOf)
  // Eight times as long; comparing each key with all others takes 64 times as long.
  expect(long).toBeLessThan(24 * (short ?? 0))
})
