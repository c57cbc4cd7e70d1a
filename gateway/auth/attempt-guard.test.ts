import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { Hints, MemoryBus } from '#realtime/cluster/hints.ts'
import { refused } from '#schemas/refusal.ts'
import { RateLimits } from '../http/rate-limit.ts'
import { createAttemptGuard } from './attempt-guard.ts'
import type { Devices } from './session-cookie.ts'

const request = (ip: string) => ({ ip, cookies: {}, headers: {}, session: undefined }) as unknown as FastifyRequest

test('an address that fails to sign in at several nodes waits at each of them, another one does not [P-1541]', async () => {
  const bus = new MemoryBus()
  const nodes = Array.from({ length: 3 }, () => {
    const rates = new RateLimits({ hints: new Hints({ bus: bus.join(), store: 's', key: 'k' }) })
    const devices = { read: async () => undefined } as unknown as Devices
    return { rates, guard: createAttemptGuard({ people: { isNameOf: async () => false }, devices, rates }) }
  })
  const fail = (node: number, ip: string) =>
    nodes[node]?.guard.run(request(ip), 'ana', async () => refused('auth.twofactor'))
  for (let n = 0; n < 60; n++)
    expect(await fail(n % 3, '192.0.2.1')).toMatchObject({ refusal: { code: 'auth.twofactor' } })
  await new Promise(resolve => setTimeout(resolve, 200))
  for (const node of [0, 1, 2]) {
    expect(await fail(node, '192.0.2.1')).toMatchObject({ refusal: { code: 'request.toomany' } })
    expect(await fail(node, '192.0.2.2')).toMatchObject({ refusal: { code: 'auth.twofactor' } })
  }
  for (const { rates } of nodes) rates.close()
})
