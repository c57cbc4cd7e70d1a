import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, sourceOf } from './rate-limit.ts'

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

test('a source of limits is a whole network of IPv6, and one address of IPv4 however it is written', () => {
  const one = ['2001:db8:0:7::1', '2001:db8:0:7:ffff:ffff:ffff:fffe', '2001:0DB8:0000:0007::9', '2001:db8:0:7::%eth0']
  expect(new Set(one.map(sourceOf))).toEqual(new Set(['2001:db8:0:7']))
  expect(sourceOf('2001:db8:0:8::1')).not.toBe(sourceOf('2001:db8:0:7::1'))
  expect(sourceOf('::1')).toBe('0:0:0:0')
  expect(['::ffff:192.0.2.7', '192.0.2.7'].map(sourceOf)).toEqual(['192.0.2.7', '192.0.2.7'])
  expect(sourceOf('192.0.2.8')).toBe('192.0.2.8')
})
