import { expect, test } from 'vitest'
import { isOwnOrigin } from './headers.ts'

test.each([
  ['https://p.example', 'https://p.example', true],
  ['http://p.example', 'https://p.example', false],
  ['https://p.example.evil.example', 'https://p.example', false],
  ['https://evil.example', 'https://p.example', false],
  ['http://localhost:3000', 'http://127.0.0.1:3000', true],
  ['http://localhost:3001', 'http://127.0.0.1:3000', false],
  ['http://called:3000', 'http://0.0.0.0:3000', true],
  ['http://evil:3000', 'http://0.0.0.0:3000', false],
  ['null', 'http://127.0.0.1:3000', false],
  ['', 'http://127.0.0.1:3000', false],
])('an Origin %s at %s is its own: %s', (origin, publicUrl, own) => {
  expect(isOwnOrigin(origin, publicUrl, { host: 'called:3000' })).toBe(own)
})
