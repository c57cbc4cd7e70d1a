import { expect, test } from 'vitest'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { honestFrames } from '../doubles/honest-frame.ts'
import { block, member, openRoom, Peer, soon } from '../doubles/room-peer.ts'
import { randomOf } from './random.ts'

const FRAMES = Number(process.env.PARLEY_FRAMES ?? 3_000)
const CLOSED = new Set([undefined, 4400, 4403, 4413, 4429])

test('mutated frames crash nothing, are answered by close codes, and change nothing that is not in the log', async () => {
  // Given a room with someone at work in it
  const random = randomOf(7)
  const { room, log, ended } = await openRoom()
  const ana = new Peer(room, member('ana'))
  ana.edit(block('mine'))
  const frames = honestFrames()
  // When others send what was cut, flipped, doubled or lengthened on its way
  for (let n = 0; n < FRAMES; n++) {
    const mallory = new Peer(room, member('mallory', random(4) > 0))
    let frame = Uint8Array.from(frames[random(frames.length)] ?? [])
    for (let cuts = 0; cuts <= random(4); cuts++) {
      const at = random(Math.max(1, frame.length))
      const choice = random(4)
      if (choice === 0) frame = frame.slice(0, at)
      else if (choice === 1) frame[at] = random(256)
      else if (choice === 2) frame = Uint8Array.from([...frame.slice(0, at), ...frame.slice(random(at + 1))])
      else frame = Uint8Array.from([...frame, random(256), random(256)])
    }
    mallory.send(frame)
    expect(CLOSED).toContain(mallory.closed)
    room.leave(mallory.connection)
    if (n % 50 === 0) await new Promise(resolve => setTimeout(resolve, 1))
  }
  // Then the room stands, and what she sees is what the log says
  expect(ended).not.toHaveBeenCalled()
  expect(ana.closed).toBeUndefined()
  ana.edit(block('after'))
  await soon(() => expect(ana.acknowledged).toBe(2))
  await soon(() => expect(exportFlow(ana.doc)).toEqual(exportFlow(log.replay('d1'))))
}, 120_000)
