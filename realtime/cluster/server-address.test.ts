import { expect, test } from 'vitest'
import { serverAddress } from './nats-bus.ts'

test.each([
  ['nats://host:4222', { servers: ['host:4222'] }],
  ['nats://host:4222/', { servers: ['host:4222'] }],
  ['host', { servers: ['host'] }],
  ['nats://a:1, nats://b:2', { servers: ['a:1', 'b:2'] }],
  ['nats://ana:s%40crä@a:1,b:2', { servers: ['a:1', 'b:2'], user: 'ana', pass: 's@crä' }],
  ['nats://ana:100%@a', { servers: ['a'], user: 'ana', pass: '100%' }],
  ['nats://token@a', { servers: ['a'], token: 'token' }],
  ['tls://[::1]:4222', { servers: ['[::1]:4222'], tls: {} }],
])('%s is read as what the client needs', (url, address) => {
  expect(serverAddress(url)).toEqual(address)
})
