import { expect, test } from 'vitest'
import { createPublicHostCheck } from './call.ts'

const RECORDS: Readonly<Record<string, readonly string[]>> = {
  'shop.example.com': ['93.184.216.34'],
  'inside.example.com': ['10.0.0.7'],
  'both.example.com': ['93.184.216.34', '127.0.0.1'],
  'rebound.example.com': ['93.184.216.34'],
}

const opened = (more: { allowPrivate?: boolean; now?: () => number } = {}) => {
  const asked: string[] = []
  const records = new Map(Object.entries(RECORDS))
  const isOpen = createPublicHostCheck({
    allowPrivate: false,
    ...more,
    resolve: async host => {
      asked.push(host)
      const found = records.get(host)
      if (found === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return found
    },
  })
  return { asked, records, isOpen }
}

test.each([
  ['shop.example.com', true],
  ['inside.example.com', false],
  ['both.example.com', false],
  ['nowhere.example.com', true],
  ['93.184.216.34', true],
  ['127.0.0.1', false],
  ['localhost', false],
  ['localhost.localdomain', false],
  ['localhost.example', false],
  ['localtest.me', false],
  ['a.localtest.me', false],
])('a short address may lead to %s: %s [P-1648]', async (host, expected) => {
  expect(await opened().isOpen(host)).toBe(expected)
})

test('asks for a name again after a minute [P-1648]', async () => {
  let time = 0
  const { isOpen, records, asked } = opened({ now: () => time })
  expect(await isOpen('rebound.example.com')).toBe(true)
  records.set('rebound.example.com', ['192.168.0.1'])
  expect(await isOpen('rebound.example.com')).toBe(true)
  time = 60_001
  expect(await isOpen('rebound.example.com')).toBe(false)
  expect(asked).toHaveLength(2)
})

test('asks for no name where private addresses are allowed [P-1648]', async () => {
  const { isOpen, asked } = opened({ allowPrivate: true })
  expect(await isOpen('inside.example.com')).toBe(true)
  expect(asked).toEqual([])
})
