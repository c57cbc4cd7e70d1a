import { EventEmitter } from 'node:events'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listen } from './listen.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A socket refused by the server: it does not reconnect automatically. */
const refused = () => {
  const told = new EventEmitter()
  const socket = { active: false, on: told.on.bind(told) as never, connect: vi.fn(), close: vi.fn() }
  const invalidateQueries = vi.fn(async (_: { readonly queryKey?: readonly unknown[] } = {}) => {})
  const stop = listen({ invalidateQueries }, socket as never)
  const again = () => invalidateQueries.mock.calls.map(([given]) => given?.queryKey?.[0])
  return { told, socket, stop, again }
}

it('a server that could let nobody in is asked again, one that knows no session is not', () => {
  const { told, socket } = refused()
  told.emit('connect_error', new Error('store.unavailable'))
  expect(socket.connect).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(socket.connect).toHaveBeenCalledTimes(1)

  told.emit('connect_error', new Error('auth.required'))
  vi.runAllTimers()
  expect(socket.connect).toHaveBeenCalledTimes(1)
})

it('leaves a reconnecting socket alone, and retries nothing after the page closed', () => {
  const { told, socket, stop } = refused()
  socket.active = true
  told.emit('connect_error', new Error('store.unavailable'))
  vi.runAllTimers()
  expect(socket.connect).not.toHaveBeenCalled()

  socket.active = false
  told.emit('connect_error', new Error('store.unavailable'))
  stop()
  vi.runAllTimers()
  expect(socket.connect).not.toHaveBeenCalled()
  expect(socket.close).toHaveBeenCalled()
})

it('reads updates missed during a disconnect: rights, comments, the bell and the version', () => {
  const { told, again } = refused()
  told.emit('connect')
  expect(again().sort()).toEqual(['comment', 'notification', 'releasenote', 'session'])
})

it('all that was read is read again when the socket is back, and not when it comes first [P-850]', async () => {
  const client = new QueryClient()
  const { told, socket } = refused()
  listen(client, socket as never)
  await client.fetchQuery({ queryKey: ['bot'], queryFn: () => 'read' })
  const isStale = () => client.getQueryState(['bot'])?.isInvalidated
  told.emit('connect')
  expect(isStale()).toBe(false)
  told.emit('connect')
  expect(isStale()).toBe(true)
})

it('reads rights and levels again when the server says that they changed [P-260]', () => {
  const { told, again } = refused()
  told.emit('accessEmit')
  expect(again().sort()).toEqual(['hierarchy', 'notification', 'session'])
})

it('reads again what others changed, and of one thing its own views alone [P-594]', async () => {
  const client = new QueryClient()
  const { told, socket } = refused()
  listen(client, socket as never)
  const keys = [
    ['bot', 'list', {}],
    ['bot', 'detail', 'a'],
    ['bot', 'detail', 'b'],
    ['user', 'list', {}],
  ]
  const read = () => Promise.all(keys.map(queryKey => client.fetchQuery({ queryKey, queryFn: () => 'read' })))
  const stale = () => keys.filter(queryKey => client.getQueryState(queryKey)?.isInvalidated)
  await read()
  told.emit('changeEmit', { entity: 'bot', ids: ['a'] })
  expect(stale()).toEqual([keys[0], keys[1]])

  await read()
  told.emit('changeEmit', { entity: 'bot', ids: ['b'] })
  told.emit('changeEmit', { entity: 'user' })
  expect(stale()).toEqual([])
  vi.runAllTimers()
  expect(stale()).toEqual([keys[0], keys[2], keys[3]])
})
