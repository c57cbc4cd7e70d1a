import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoreUnavailable } from '#commands/store/port.ts'
import type { Access, ReadModels } from '#projections/port.ts'
import { ReadModelsUnavailable } from '#projections/query-pool.ts'
import type { Rooms } from '#realtime/port.ts'
import { ACCESS } from '../fixture.ts'
import type { Authentication, Parts } from '../port.ts'
import { readSettings } from '../settings.ts'
import { openNotifier } from './notifier.ts'

let server: Server
let notifier: ReturnType<typeof openNotifier>
let known: () => Promise<Access | undefined>
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const read: Partial<ReadModels> = {
    onApplied: () => () => undefined,
    onTouched: () => () => undefined,
    notifications: async () => {
      throw new ReadModelsUnavailable('too many questions are waiting')
    },
  }
  const parts = { read, settings: readSettings({}), publicUrl: () => origin() } as unknown as Parts
  const authentication = { session: () => known() } as unknown as Authentication
  notifier = openNotifier(server, parts, authentication, { present: () => [] } as unknown as Rooms)
})
afterEach(async () => {
  await notifier.close()
  server.close()
})

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const listen = () =>
  io(origin(), { path: '/botadmin/socket.io', auth: { token: 't' }, reconnection: false, transports: ['websocket'] })

const refused = () => new Promise(resolve => listen().once('connect_error', ({ message }: Error) => resolve(message)))

test('refuses listeners while access cannot be read, and the gateway keeps running', async () => {
  known = async () => {
    throw new StoreUnavailable('away')
  }
  expect(await refused()).toBe('store.unavailable')
})

test('refuses a listener that cannot receive events, and accepts it later', async () => {
  known = async () => ACCESS
  expect(await refused()).toBe('store.unavailable')
})
