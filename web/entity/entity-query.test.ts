import { expect, test, vi } from 'vitest'
import { createNameBatch } from './entity-query.ts'

const echo = async (ids: Record<string, string[]>) =>
  Object.fromEntries(
    Object.entries(ids).map(([entity, list]) => [
      entity,
      Object.fromEntries(list.filter(id => id !== 'gone').map(id => [id, `${entity} ${id}`])),
    ]),
  )

test('asks once for all names of a tick, each id once, and null for what is absent', async () => {
  const ask = vi.fn(echo)
  const nameOf = createNameBatch(ask)
  const wanted = [nameOf('bot', 'a'), nameOf('dialog', 'b'), nameOf('bot', 'a'), nameOf('bot', 'gone')]
  expect(await Promise.all(wanted)).toEqual(['bot a', 'dialog b', 'bot a', null])
  expect(ask.mock.calls).toEqual([[{ bot: ['a', 'gone'], dialog: ['b'] }]])
})

test('splits more ids than one call takes, and rejects all of a call that fails', async () => {
  const ask = vi.fn(echo)
  const nameOf = createNameBatch(ask)
  await Promise.all(Array.from({ length: 501 }, (_, index) => nameOf('bot', String(index))))
  expect(ask).toHaveBeenCalledTimes(2)
  const failing = createNameBatch(() => Promise.reject(new Error('offline')))
  await expect(failing('bot', 'a')).rejects.toThrow('offline')
})
