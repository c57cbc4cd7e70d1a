import { expect, test } from 'vitest'
import { addressOfClient } from './open-event-store-db.ts'

test('gives each client its own address, so that it shares no connection with an earlier client [P-1526]', () => {
  const tls = 'esdb://admin:changeit@a:2113,b:2113?tls=true'
  expect(addressOfClient(tls, 1)).toBe('kurrentdb://admin:changeit@a:2113,b:2113?tls=true&keepAliveInterval=10001')
  expect(addressOfClient('kurrentdb://a:2113', 2)).toBe('kurrentdb://a:2113?keepAliveInterval=10002')
  expect(addressOfClient('esdb://a?keepAliveInterval=20000&tls=false', 3)).toBe(
    'kurrentdb://a?keepAliveInterval=20003&tls=false',
  )
  expect(addressOfClient('esdb://a?keepaliveinterval=-1', 4)).toBe('kurrentdb://a?keepaliveinterval=-1')
})
