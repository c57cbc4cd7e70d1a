import { expect, test } from 'vitest'
import type { ProviderEvent } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { channelEndpoint, Intake } from './intake.ts'

const CHANNEL = { id: 'c1', bot: 'b1', type: 'whatsapp_zenvia', fields: {} } as unknown as ProviderChannel

const said = (from: string, id: string): ProviderEvent => ({
  ...{ kind: 'message', id, from: { id: from }, to: 'lume', time: 0, content: { kind: 'text', text: 'oi' } },
})

test('asks the provider to repeat a call in which a person wrote too much, and stores all else in it [P-2153]', async () => {
  const stored = new Set<string>()
  const counted: string[] = []
  let eager: number | undefined = 30
  const intake = new Intake({
    numbers: {
      route: async () => ({ family: CHANNEL.type, to: 'lume', channel: CHANNEL }),
      accountsOf: async () => [],
    },
    exchange: async () => ({
      async take(_route: unknown, { id }: { readonly id: string }) {
        const isNew = !stored.has(id)
        stored.add(id)
        return { isNew, followed: Promise.resolve() }
      },
    }),
    senders: {
      wait: (channel: string, person: string) => (channel === 'c1' && person === 'eager' ? eager : undefined),
      count: (_channel: string, person: string) => void counted.push(person),
    },
  } as unknown as ConstructorParameters<typeof Intake>[0])
  const reaction: ProviderEvent = { kind: 'reaction', id: 'r1', from: { id: 'eager' }, to: 'lume', of: 'm1' }
  const call = [said('eager', 'm1'), said('ana', 'm2'), reaction]
  expect(await intake.take(channelEndpoint(CHANNEL), call)).toBe(30)
  expect([[...stored], counted]).toEqual([['m2', 'r1'], ['ana']])
  eager = undefined
  expect(await intake.take(channelEndpoint(CHANNEL), call)).toBe(0)
  // Messages stored by the first call count once.
  expect([[...stored], counted]).toEqual([
    ['m2', 'r1', 'm1'],
    ['ana', 'eager'],
  ])
})
