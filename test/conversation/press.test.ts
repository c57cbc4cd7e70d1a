import { afterEach, expect, test, vi } from 'vitest'
import { ask, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import { begin, openWorld, talkOf, type World } from './world.ts'

let world: World
afterEach(() => world.close())

test('counts a button that is pressed at once several times for its own question [R-53] [P-1720]', async () => {
  world = await openWorld({
    start,
    a: ask('confirm', 'um', 'b'),
    b: ask('confirm', 'dois', 'c'),
    c: tell('{{um}} {{dois}}'),
  })
  const node = await world.node()
  const conversation = await begin(node)
  const [asked] = (await node.newest(conversation, 1))?.messages ?? []
  const press = (id: string, of = asked?.id ?? '') =>
    node.accept(conversation, { id, type: 'choice', of, value: 'yes' })
  const taken = await Promise.all(['x', 'y', 'z'].map(id => press(id)))
  expect(taken.map(({ ok }) => ok)).toEqual([true, true, true])
  await vi.waitFor(async () => expect((await node.newest(conversation, 1))?.state).toBe('waiting'))
  expect((await talkOf(node, conversation)).filter(text => text.startsWith('bot'))).toEqual(['bot: um?', 'bot: dois?'])
  expect(await press('late')).toMatchObject({ ok: false, refusal: { code: 'chat.stale' } })
  const second = (await node.newest(conversation, 9))?.messages.findLast(({ from }) => from === 'bot')
  await press('second', second?.id)
  await vi.waitFor(async () => expect((await talkOf(node, conversation)).at(-1)).toBe('bot: true true'))
  expect(await press('after', second?.id)).toMatchObject({ ok: false, refusal: { code: 'chat.stale' } })
})

test('keeps the time at which a message was written, but none that is still to come [C-9.08] [P-1728]', async () => {
  world = await openWorld({ start, a: ask('text', 'nome', 'b'), b: tell('Oi, {{nome}}', 'a') })
  const node = await world.node()
  const conversation = await begin(node)
  const written = world.now - 30 * 3_600_000
  await node.accept(conversation, { id: 'late', type: 'text', text: 'Ana', written })
  await node.accept(conversation, { id: 'early', type: 'text', text: 'Bia', written: world.now + 3_600_000 })
  await vi.waitFor(async () => expect((await talkOf(node, conversation)).at(-1)).toBe('bot: nome?'))
  const [late, early] = (await node.newest(conversation, 9))?.messages.filter(({ from }) => from === 'user') ?? []
  expect(late?.time).toBe(new Date(written).toISOString())
  expect(Date.parse(early?.time ?? '')).toBe(world.now)
  expect(JSON.stringify(late)).not.toContain('written')
})
