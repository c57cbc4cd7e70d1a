import { expect, test, vi } from 'vitest'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { rowOf } from '#test/fixture/row-of.ts'
import { ChannelWatch } from '../open-channels.ts'
import { HealthNotices, openHealth, restrictionFollower } from './channel-health.ts'
import { ExchangeIndex } from './exchange-index.ts'
import type { Exchange } from './open-exchange.ts'

const IS_SET = { set: true } as const

const channels = (count: number): readonly RowOf<'channel'>[] =>
  Array.from({ length: count }, (_, at) =>
    rowOf('channel', `c${at}`, {
      ...{ bot: 'b', type: 'whatsapp_meta', account_id: String(at) },
      ...{ auth_token: IS_SET, app_secret: IS_SET, channel_verify_token: IS_SET },
    }),
  )

/** Reads of rows and of the index for the health of so many channels. */
const readsFor = async (count: number): Promise<{ readonly reads: number; readonly states: ReadonlySet<string> }> => {
  let reads = 0
  const index = new ExchangeIndex(':memory:')
  const counted = new Proxy(index, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        reads += 1
        return value.apply(target, args)
      }
    },
  })
  const read = {
    list: async () => {
      reads += 1
      return { items: [], total: 0 }
    },
    detail: async () => {
      reads += 1
      return { id: 'b', runningstatus: 'running' }
    },
  } as unknown as Pick<ReadModels, 'list' | 'detail'>
  const exchange = { index: counted, deliveries: { breakers: { of: () => undefined } } } as unknown as Exchange
  const healthOf = openHealth({ read, watch: new ChannelWatch(), exchange: () => exchange })
  const states = new Set((await healthOf(channels(count))).map(({ state }) => state))
  await index.close()
  return { reads, states }
}

test('reads the health of 500 channels of a bot with as many reads as that of one [P-1969]', async () => {
  const one = await readsFor(1)
  expect(one).toEqual({ reads: 6, states: new Set(['new']) })
  expect(await readsFor(500)).toEqual(one)
  expect((await readsFor(0)).reads).toBe(0)
})

test('takes the rating of a number from the account with that number, never from one without a number [P-2181]', async () => {
  const index = new ExchangeIndex(':memory:')
  const rated = (phone_number_id: string | null, quality_rating: string) =>
    rowOf('metaaccount', `a${phone_number_id}`, { phone_number_id, quality_rating })
  const read = {
    list: async () => ({ items: [rated(null, 'RED'), rated('7', 'YELLOW')], total: 2 }),
    detail: async () => ({ id: 'b', runningstatus: 'running' }),
  } as unknown as Pick<ReadModels, 'list' | 'detail'>
  const exchange = { index, deliveries: { breakers: { of: () => undefined } } } as unknown as Exchange
  const healthOf = openHealth({ read, watch: new ChannelWatch(), exchange: () => exchange })
  const own = { bot: 'b', type: 'whatsapp_meta', auth_token: IS_SET, app_secret: IS_SET, channel_verify_token: IS_SET }
  const found = await healthOf([
    rowOf('channel', 'c1', { bot: 'b', type: 'whatsapp_meta', metaaccount: 'a' }),
    rowOf('channel', 'c2', { ...own, account_id: '7' } as Partial<RowOf<'channel'>>),
    rowOf('channel', 'c3', { ...own, metaaccount: 'a7' } as Partial<RowOf<'channel'>>),
  ])
  await index.close()
  expect(found.map(({ state, detail }) => [state, detail])).toEqual([
    ['new', ''],
    ['warning', 'YELLOW'],
    ['warning', 'YELLOW'],
  ])
})

test('removes a ban once a later message was accepted: it is not shown 25 hours later without any [P-2937]', async () => {
  const announced = Date.now() - 3_600_000
  const slots = new Map([['c0', [{ at: announced, kind: 'sent', count: 1, last: announced + 60_000 }]]])
  const restriction = { code: 'BANNED', at: null, reason: '', announced: new Date(announced).toISOString() }
  const fields = { bot: 'b', type: 'blip', enable: true, auth_token: IS_SET, channel_verify_token: IS_SET, restriction }
  const row = { ...rowOf('channel', 'c0', fields as never) }
  const inputs: unknown[] = []
  const execute = async ({ input }: { readonly input: object }) => {
    inputs.push(input)
    return { ok: true }
  }
  const index = { ...{ pulses: () => slots, troubles: () => new Map(), waiting: () => new Map() }, unrouted: () => [] }
  const read = { list: async () => ({ items: [row], total: 1 }), detail: async () => undefined }
  const notices = new HealthNotices({
    ...{ read, commands: { execute }, watch: new ChannelWatch(), store: undefined, lookMs: 20 },
    exchange: () => ({ index: { ...index, takeTouched: () => [] }, deliveries: { breakers: { of: () => undefined } } }),
    failed: (error: unknown) => expect.fail(String(error)),
  } as never)
  await vi.waitFor(() => expect(inputs).toEqual([{ restriction: null }]), 5_000)
  await notices.close()
})

test('stores no ban of a business account at the door of a channel of Meta [P-2937]', async () => {
  const stored: unknown[] = []
  const execute = async ({ input }: { readonly input: unknown }) => {
    stored.push(input)
    return { ok: true }
  }
  const follower = restrictionFollower({ read: {}, commands: { execute }, watch: new ChannelWatch() } as never)
  const event = { name: 'account_update', data: { event: 'ACCOUNT_DELETED' } }
  const tell = (route: object) => follower.news?.({ route: { to: '', channel: { id: 'c' }, ...route }, event } as never)
  await tell({ family: 'whatsapp_meta' })
  await tell({ family: 'whatsapp_360dialog', account: 'a' })
  expect(stored).toEqual([])
  await tell({ family: 'whatsapp_360dialog' })
  expect(stored).toMatchObject([{ restriction: { code: 'REMOVED' } }])
})
