import { expect, test } from 'vitest'
import { isPublicHost } from './call.ts'

test.each([
  ['example.com', true],
  ['sub.example.com.', true],
  ['8.8.8.8', true],
  ['[2606:4700::1111]', true],
  ['localhost', false],
  ['LOCALHOST', false],
  ['a.localhost.', false],
  ['printer.local', false],
  ['intranet', false],
  ['db.internal', false],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['169.254.169.254', false],
  ['[::1]', false],
  ['[::ffff:127.0.0.1]', false],
])('%s is public: %s', (host, isPublic) => {
  expect(isPublicHost(host)).toBe(isPublic)
})
