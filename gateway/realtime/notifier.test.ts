import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StoreUnavailable } from '#commands/store/port.ts'
import type { Access, ReadModels } from '#projections/port.ts'
import { ReadModelsUnavailable } from '#projections/query-pool.ts'
import type { Rooms } from '#realtime/port.ts'
import { ACCESS } from '../fixture.ts'
import type { Authentication, Parts } from '../port.ts'
import { type Notifier, openNotifier } from './notifier.ts'

let server: Server
let notifier: Notifier
let known: () => Promise<Access | undefined>
const failed = vi.fn()
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const read: Partial<ReadModels> = {
    onApplied: () => () => undefined,
    notifications: async () => {
      throw new ReadModelsUnavailable('too many questions are waiting')
    },
  }
  const parts = { read, log: { error: failed }, publicUrl: () => origin() } as unknown as Parts
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

test('while nobody can be known, who asks to listen is told so, and the gateway goes on', async () => {
  known = async () => {
    throw new StoreUnavailable('away')
  }
  const [error] = await new Promise<[Error]>(resolve => listen().once('connect_error', error => resolve([error])))
  expect(error.message).toBe('store.unavailable')
})

test('who cannot be told anything now is sent away to come again', async () => {
  known = async () => ACCESS
  const reason = await new Promise(resolve => listen().once('disconnect', resolve))
  expect(reason).toBe('io server disconnect')
  expect(failed).toHaveBeenCalledOnce()
})
