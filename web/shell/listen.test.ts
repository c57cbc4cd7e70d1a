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

/** A socket that the server has refused: it does not try again by itself. */
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

it('a socket that tries again by itself is left to it, and nobody is asked once the page has left', () => {
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

it('what was told while the socket was away is read when it is back: rights, comments, the bell and the version', () => {
  const { told, again } = refused()
  told.emit('connect')
  expect(again().filter(Boolean).sort()).toEqual(['comment', 'notification', 'releasenote', 'session'])
})

it('what was read well before the socket came, or came back, is read again [P-850]', async () => {
  const client = new QueryClient()
  const read = async (key: string) => client.fetchQuery({ queryKey: [key], queryFn: () => key })
  const { told, socket } = refused()
  listen(client, socket as never)
  await read('early')
  vi.advanceTimersByTime(5000)
  await read('late')
  vi.advanceTimersByTime(100)
  told.emit('connect')
  const isStale = (key: string) => client.getQueryState([key])?.isInvalidated
  expect([isStale('early'), isStale('late')]).toEqual([true, false])
})

it('reads rights and levels again when the server says that they changed [P-260]', () => {
  const { told, again } = refused()
  told.emit('accessEmit')
  expect(again().sort()).toEqual(['hierarchy', 'notification', 'session'])
})
