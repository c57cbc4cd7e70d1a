import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage

test.each([
  [[], '192.0.2.1', '203.0.113.7', '192.0.2.1'],
  [['192.0.2.1'], '192.0.2.1', '203.0.113.7', '203.0.113.7'],
  [['192.0.2.1'], '::ffff:192.0.2.1', '203.0.113.7', '203.0.113.7'],
  [['192.0.2.0/24'], '192.0.2.1', '198.51.100.9, 203.0.113.7, 192.0.2.9', '203.0.113.7'],
  [['2001:db8::/32'], '2001:db8::1', '203.0.113.7', '203.0.113.7'],
  [['192.0.2.1'], '192.0.2.1', undefined, '192.0.2.1'],
  [['192.0.2.1'], '192.0.2.1', 'nonsense', 'nonsense'],
])('finds the nearest address that is no proxy when %j are trusted', (proxies, remote, forwarded, address) => {
  expect(clientAddress(proxies)(request(remote, forwarded))).toBe(address)
})
