import { expect, test } from 'vitest'
import { withFields } from './summarize.ts'

test('Chosen fields are taken from another moment, the others stay', () => {
  const now = { title: 'now', left: 1, top: 1, properties: { text: 'now', enableDelay: true } }
  const then = { title: 'then', left: 9, top: 8, properties: { text: 'then' } }
  expect(withFields(now, then, ['pos', 'properties.text'])).toEqual({
    title: 'now',
    left: 9,
    top: 8,
    properties: { text: 'then', enableDelay: true },
  })
  expect(withFields(now, then, ['properties.enableDelay'])).toEqual({ ...now, properties: { text: 'now' } })
})
