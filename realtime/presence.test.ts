import { describe, expect, test } from 'vitest'
import { member, openRoom, Peer, soon } from '#test/doubles/room-peer.ts'
import { awarenessFrame, readAwareness, readFrame, writeAwareness } from './wire.ts'

describe('presence', () => {
  const shown = (peer: Peer) =>
    peer.frames
      .map(frame => readFrame(frame))
      .flatMap(frame => (frame?.kind === 'awareness' ? readAwareness(frame.update) : []))
      .map(({ client, state }) => ({
        client,
        state: JSON.parse(state) as { user?: { name: string }; cursor?: unknown } | null,
      }))

  const clocks = (peer: Peer) =>
    peer.frames
      .map(frame => readFrame(frame))
      .flatMap(frame => (frame?.kind === 'awareness' ? readAwareness(frame.update) : []))
      .map(({ clock }) => clock)

  const show = (client: number, clock: number, state: unknown) =>
    awarenessFrame(writeAwareness([{ client, clock, state: JSON.stringify(state) }]))

  test('the server writes who someone is, and nobody speaks for another', async () => {
    const { room } = await openRoom()
    const [ana, mallory] = [new Peer(room, member('ana')), new Peer(room, member('mallory'))]
    ana.send(show(1, 1, { user: { name: 'The Boss' }, cursor: { x: 1, y: 2 } }))
    mallory.send(show(2, 1, {}))
    mallory.send(show(1, 9, { cursor: { x: 666, y: 666 } }))
    await soon(() => expect(shown(ana)).toHaveLength(2))
    expect(shown(ana).find(({ client }) => client === 1)?.state).toMatchObject({
      user: { name: 'ana' },
      cursor: { x: 1 },
    })
  })

  test('cursors within 16 ms come as one frame, and leaving is shown', async () => {
    const { room } = await openRoom()
    const [ana, joao] = [new Peer(room, member('ana')), new Peer(room, member('joao'))]
    for (let clock = 1; clock <= 20; clock++) ana.send(show(1, clock, { cursor: { x: clock, y: 0 } }))
    await soon(() => expect(shown(joao)).toHaveLength(1))
    room.leave(ana.connection)
    await soon(() => expect(shown(joao).at(-1)).toEqual({ client: 1, state: null }))
  })

  test('shows a state sent right after the first, and ignores repeated states', async () => {
    const { room } = await openRoom()
    const [ana, joao] = [new Peer(room, member('ana')), new Peer(room, member('joao'))]
    // A client begins with clock 0, which others would pass over
    ana.send(show(1, 0, {}))
    ana.send(show(1, 1, { cursor: { x: 5, y: 5 } }))
    await soon(() => expect(shown(joao).at(-1)?.state).toMatchObject({ cursor: { x: 5 } }))
    const frames = joao.frames.length
    const clock = clocks(joao).at(-1) ?? 0
    ana.send(show(1, clock, shown(joao).at(-1)?.state))
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(joao.frames).toHaveLength(frames)
  })

  test('shows and keeps the pointer of a person who returns with a clock behind the known one', async () => {
    // Given a person who left for another node and is remembered under a higher clock than their own
    const { room } = await openRoom()
    const joao = new Peer(room, member('joao'))
    const before = new Peer(room, member('ana'))
    for (let n = 0; n < 4; n++) before.send(show(1, 9, { cursor: { x: n, y: 0 } }))
    room.leave(before.connection)
    await soon(() => expect(shown(joao).at(-1)?.state).toBeNull())
    // When they are back and point somewhere before they hear under which clock they are shown
    const after = new Peer(room, member('ana'))
    after.send(show(1, 3, {}))
    await soon(() => expect(shown(after).at(-1)?.state).toEqual({ user: expect.anything() }))
    const adopted = { clock: clocks(after).at(-1) ?? 0, state: shown(after).at(-1)?.state }
    after.send(show(1, 4, { cursor: { x: 7, y: 0 } }))
    // Then that counts, and what their client repeats of what it heard before does not
    after.send(show(1, adopted.clock, adopted.state))
    await soon(() => expect(shown(joao).at(-1)?.state).toMatchObject({ cursor: { x: 7 } }))
    const frames = joao.frames.length
    after.send(show(1, clocks(after).at(-1) ?? 0, shown(after).at(-1)?.state))
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(joao.frames).toHaveLength(frames)
  })

  test('shows the current pointer of a person who returns before the old socket expires, and ignores an echoing second connection', async () => {
    // Given a person whose network failed silently, with the flow open in another window too
    const { room } = await openRoom()
    const joao = new Peer(room, member('joao'))
    const before = new Peer(room, member('ana'))
    before.send(show(1, 4, { cursor: { x: 0, y: 0 } }))
    before.send(show(1, 5, { cursor: { x: 1, y: 0 } }))
    await soon(() => expect(shown(joao).at(-1)?.state).toMatchObject({ cursor: { x: 1 } }))
    const window = new Peer(room, member('ana'))
    window.send(show(1, 4, shown(joao).at(-1)?.state))
    window.send(show(1, clocks(joao).at(-1) ?? 0, shown(joao).at(-1)?.state))
    // When they are back and point somewhere
    const after = new Peer(room, member('ana'))
    after.send(show(1, 5, { cursor: { x: 1, y: 0 } }))
    after.send(show(1, 6, { cursor: { x: 7, y: 0 } }))
    await soon(() => expect(shown(joao).at(-1)?.state).toMatchObject({ cursor: { x: 7 } }))
    // Then the old socket and the window that only echoed end without taking it away
    room.leave(before.connection)
    room.leave(window.connection)
    after.send(show(1, 9, { cursor: { x: 8, y: 0 } }))
    await soon(() => expect(shown(joao).at(-1)?.state).toMatchObject({ cursor: { x: 8 } }))
    expect(shown(joao).map(({ state }) => state)).not.toContain(null)
    room.leave(after.connection)
    await soon(() => expect(shown(joao).at(-1)?.state).toBeNull())
  })

  test('an oversized state is refused', async () => {
    const { room } = await openRoom()
    const ana = new Peer(room, member('ana'))
    ana.send(show(1, 1, { cursor: 'x'.repeat(20_000) }))
    expect(ana.closed).toBe(4400)
  })

  test('rejects an endlessly nested state and keeps the room open', async () => {
    const { room } = await openRoom()
    const [ana, joao] = [new Peer(room, member('ana')), new Peer(room, member('joao', false))]
    const nested = `{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`
    joao.send(awarenessFrame(writeAwareness([{ client: 2, clock: 1, state: nested }])))
    expect(joao.closed).toBe(4400)
    ana.send(show(1, 1, { cursor: { x: 1, y: 0 } }))
    expect(ana.closed).toBeUndefined()
  })
})
