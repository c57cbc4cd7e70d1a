import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { openFlow } from '#domain/flow/document/document.ts'
import { removeNodes } from '#domain/flow/document/edit.ts'
import { NO_CHANGES } from '#schemas/flow/summary.ts'
import { MemoryRoomLog } from '#test/doubles/memory-room-log.ts'
import { block, ids, member, openRoom, Peer, soon } from '#test/doubles/room-peer.ts'
import { awarenessFrame, step1Frame, step2Frame, updateFrame, writeAwareness } from './wire.ts'

/** An update that adds a block. */
const drawn = (id: string): Uint8Array => {
  const doc = openFlow(new Y.Doc())
  block(id)(doc)
  return Y.encodeStateAsUpdate(doc)
}

/** Three times: the microtasks between release further references. */
const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let round = 0; round < 3; round++) {
    await new Promise(setImmediate)
    collect()
  }
}

describe('a flow room', () => {
  test('shows an edit to everyone else at once and acknowledges it after the append alone', async () => {
    // Given two people in a room with a delayed log
    const { room, log } = await openRoom()
    const stored = Promise.withResolvers<void>()
    log.beforeAppend = () => stored.promise
    const [ana, joao] = [new Peer(room, member('ana')), new Peer(room, member('joao'))]
    // When one of them adds a block
    ana.edit(block('n1'))
    // Then the other sees it before it is stored, and "saved" follows the append
    expect(ids(joao.doc)).toEqual(['n1'])
    await new Promise(resolve => setTimeout(resolve, 120))
    expect(ana.acknowledged).toBe(0)
    stored.resolve()
    await soon(() => expect(ana.acknowledged).toBe(1))
    expect(ids(log.replay('d1'))).toEqual(['n1'])
  })

  test('while many edits come, each reaches everyone else once and in order, and nobody their own', async () => {
    const { room } = await openRoom()
    const [ana, joao, eva] = [
      new Peer(room, member('ana')),
      new Peer(room, member('joao')),
      new Peer(room, member('eva')),
    ]
    const before = [ana, joao, eva].map(({ frames }) => frames.length)
    const updates = ({ frames }: Peer, from = 0) =>
      frames.slice(from).filter(([type, step]) => type === 0 && step === 2)
    // When several edits come in the same moment
    for (const n of [1, 2, 3]) {
      ana.edit(block(`a${n}`))
      joao.edit(block(`j${n}`))
    }
    // Then everyone has them all soon after
    await soon(() => expect(ids(eva.doc)).toEqual(['a1', 'a2', 'a3', 'j1', 'j2', 'j3']))
    expect([ana, joao, eva].map((peer, index) => updates(peer, before[index]).length)).toEqual([3, 3, 6])
  })

  test('delivers waiting edits on join and leave, and before a drain closes the room', async () => {
    const { room } = await openRoom()
    const [ana, joao] = [new Peer(room, member('ana')), new Peer(room, member('joao'))]
    ana.edit(block('n1'))
    ana.edit(block('n2'))
    const late = new Peer(room, member('late'))
    expect(ids(joao.doc)).toEqual(['n1', 'n2'])
    late.send(Uint8Array.of(0, 0, 1, 0))
    expect(ids(late.doc)).toEqual(['n1', 'n2'])
    ana.edit(block('n3'))
    room.leave(ana.connection)
    await room.drain()
    expect(ids(joao.doc)).toEqual(['n1', 'n2', 'n3'])
  })

  test('keeps no document in memory while people only look at it [P-2963]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const log = new MemoryRoomLog()
      const load = log.load.bind(log)
      let document: WeakRef<Y.Doc> | undefined
      log.load = async flow => {
        const loaded = await load(flow)
        document = new WeakRef(loaded.doc)
        return loaded
      }
      const { room } = await openRoom(log)
      const [ana, joao] = [new Peer(room, member('ana')), new Peer(room, member('joao'))]
      vi.advanceTimersByTime(10_000)
      await collectGarbage()
      expect(document?.deref()).toBeUndefined()
      ana.edit(block('n1'))
      expect(ids(joao.doc)).toEqual(['n1'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('acknowledges deletions, and messages that bring nothing new', async () => {
    const { room, log } = await openRoom()
    const ana = new Peer(room, member('ana'))
    ana.edit(block('n1'))
    const again = updateFrame(Y.encodeStateAsUpdate(ana.doc))
    ana.edit(doc => removeNodes(doc, ['n1'], 'me'))
    ana.send(again)
    await soon(() => expect(ana.acknowledged).toBe(3))
    expect(ids(log.replay('d1'))).toEqual([])
  })

  test('collects what comes within 50 ms into one event and names its authors and client ids', async () => {
    const { room, log } = await openRoom()
    const [ana, joao] = [new Peer(room, member('ana')), new Peer(room, member('joao'))]
    ana.edit(block('n0'))
    await soon(() => expect(ana.acknowledged).toBe(1))
    ana.edit(block('n1'))
    joao.edit(block('n2'))
    await soon(() => expect(joao.acknowledged).toBe(1))
    const edits = log.edits.get('d1') ?? []
    expect(edits).toHaveLength(2)
    expect(edits[1]?.edit.authors).toEqual(['ana', 'joao'])
    expect(edits[1]?.edit.bindings).toEqual([{ client: joao.doc.clientID, user: 'joao' }])
    expect(edits[1]?.edit.summary.added.map(({ id }) => id)).toEqual(['n1', 'n2'])
  })

  test('merges with what another writer appended first', async () => {
    // Given a room whose next append will be overtaken
    const { room, log } = await openRoom()
    const ana = new Peer(room, member('ana'))
    const foreign = openFlow(new Y.Doc())
    block('foreign')(foreign)
    log.beforeAppend = async () => {
      log.beforeAppend = async () => {}
      const update = Y.encodeStateAsUpdate(foreign)
      log.write('d1', { update, actor: 'job', authors: ['job'], bindings: [], ranges: [], summary: NO_CHANGES })
    }
    // When she edits
    ana.edit(block('n1'))
    // Then both are in the log and on her screen
    await soon(() => expect(ana.acknowledged).toBe(1))
    await soon(() => expect(ids(ana.doc)).toEqual(['foreign', 'n1']))
    expect(ids(log.replay('d1'))).toEqual(['foreign', 'n1'])
  })

  test('closes a client that sends an impossible update, unseen by others', async () => {
    const { room, log } = await openRoom()
    const [ana, mallory] = [new Peer(room, member('ana')), new Peer(room, member('mallory'))]
    ana.edit(block('n1'))
    mallory.edit(doc => doc.getMap('nodes').set('bad', 'not a block'))
    expect(mallory.closed).toBe(4400)
    ana.edit(block('n2'))
    await soon(() => expect(ana.acknowledged).toBe(2))
    expect(ana.closed).toBeUndefined()
    expect(ids(ana.doc)).toEqual(['n1', 'n2'])
    expect(ids(log.replay('d1'))).toEqual(['n1', 'n2'])
    const late = new Peer(room, member('late'))
    late.send(Uint8Array.of(0, 0, 1, 0))
    expect(ids(late.doc)).toEqual(['n1', 'n2'])
  })

  test('a viewer may look and answer step 1, an update from one closes it with 4403', async () => {
    const { room, log } = await openRoom()
    const viewer = new Peer(room, member('vi', false))
    viewer.send(step2Frame(Y.encodeStateAsUpdate(new Y.Doc())))
    expect(viewer.closed).toBeUndefined()
    viewer.edit(block('n1'))
    expect(viewer.closed).toBe(4403)
    expect(log.edits.get('d1')).toEqual([])
  })

  test('holds an update that builds on unsent work until step 2 brings it', async () => {
    // Given someone who worked offline
    const { room, log } = await openRoom()
    const ana = new Peer(room, member('ana'))
    block('offline')(ana.doc)
    ana.updates.length = 0
    // When the next edit arrives before the offline work
    ana.edit(block('online'))
    expect(ana.closed).toBeUndefined()
    expect(ana.acknowledged).toBe(0)
    ana.send(step2Frame(Y.encodeStateAsUpdate(ana.doc)))
    // Then both are stored and both messages counted
    await soon(() => expect(ana.acknowledged).toBe(2))
    expect(ids(log.replay('d1'))).toEqual(['offline', 'online'])
  })

  test('closes with 4400 when dependencies are missing after sync step 2', async () => {
    const { room } = await openRoom()
    const ana = new Peer(room, member('ana'))
    ana.send(step2Frame(Y.encodeStateAsUpdate(new Y.Doc())))
    block('unsent')(ana.doc)
    ana.updates.length = 0
    ana.edit(block('n1'))
    expect(ana.closed).toBe(4400)
  })

  test('closes everyone with 4503 when an append fails for good', async () => {
    const { room, log, ended } = await openRoom()
    const ana = new Peer(room, member('ana'))
    log.beforeAppend = async () => {
      throw new Error('disk')
    }
    ana.edit(block('n1'))
    await soon(() => expect(ana.closed).toBe(4503))
    expect(ana.acknowledged).toBe(0)
    expect(ended).toHaveBeenCalledOnce()
  })

  test.each([
    ['unknown message type', Uint8Array.of(7), 4400],
    ['truncated update', Uint8Array.of(0, 2, 9, 1), 4400],
    ['garbage update', updateFrame(Uint8Array.of(250, 1, 2, 3)), 4400],
    ['garbage state vector', Uint8Array.of(0, 0, 2, 255, 255), 4400],
    ['malformed awareness', awarenessFrame(Uint8Array.of(3, 1)), 4400],
    ['too large', new Uint8Array(8_000_001), 4413],
  ])('%s is answered by its close code', async (_name, frame, code) => {
    const { room } = await openRoom()
    const ana = new Peer(room, member('ana'))
    ana.send(frame)
    expect(ana.closed).toBe(code)
  })

  test('a flood is answered by 4429', async () => {
    const { room } = await openRoom()
    const ana = new Peer(room, member('ana'))
    for (let i = 0; i < 5_000; i++) ana.send(Uint8Array.of(3))
    expect(ana.closed).toBe(4429)
  })

  test.each([
    ['step 1', step1Frame(Uint8Array.of(0))],
    ['step 2', step2Frame(drawn('bad'))],
    ['update', updateFrame(drawn('bad'))],
    ['awareness', awarenessFrame(writeAwareness([{ client: 9, clock: 1, state: '{}' }]))],
    ['awareness query', Uint8Array.of(3)],
  ])(
    'a %s that cannot be handled closes its sender alone, is counted, and nobody else notices',
    async (_kind, frame) => {
      // Given a member whose every use in the room throws, like a fault of the program
      const { room, log, rejected } = await openRoom()
      const [ana, joao, mallory] = [
        new Peer(room, member('ana')),
        new Peer(room, member('joao')),
        new Peer(room, member('mallory')),
      ]
      ana.send(awarenessFrame(writeAwareness([{ client: 1, clock: 1, state: '{}' }])))
      const fault = () => {
        throw new Error('a fault of the program')
      }
      mallory.connection.member = Object.defineProperty({ ...member('mallory') }, 'user', { get: fault })
      mallory.connection.send = fault
      // When they send something
      mallory.send(frame)
      ana.edit(block('n1'))
      // Then they are out, it is on record, and the others work on without a trace of it
      expect(mallory.closed).toBe(4400)
      expect(rejected).toHaveBeenCalledOnce()
      await soon(() => expect(ana.acknowledged).toBe(1))
      await soon(() => expect(ids(joao.doc)).toEqual(['n1']))
      expect([ana.closed, joao.closed]).toEqual([undefined, undefined])
      expect(ids(log.replay('d1'))).toEqual(['n1'])
      const late = new Peer(room, member('late'))
      await soon(() => expect(ids(late.doc)).toEqual(['n1']))
    },
  )

  test('answers nothing from a document corrupted again during a reload', async () => {
    // Given two people whose refused edits come one right behind the other
    const { room } = await openRoom()
    const people = ['mallory', 'trudy', 'ana'].map(user => new Peer(room, member(user)))
    const [mallory, trudy, ana] = people as [Peer, Peer, Peer]
    for (const each of [mallory, trudy]) each.edit(doc => doc.getMap('nodes').set('bad', 'not a block'))
    // When another person asks and edits next
    const seen = ana.frames.length
    ana.send(Uint8Array.of(0, 0, 1, 0))
    ana.edit(block('n1'))
    // Then they find what is sound alone
    await soon(() => expect(ana.acknowledged).toBe(1))
    expect([mallory.closed, trudy.closed, ana.closed]).toEqual([4400, 4400, undefined])
    expect(ana.frames.length).toBeGreaterThan(seen)
    expect([...ana.doc.getMap('nodes').keys()]).toEqual(['n1'])
  })

  test('several who come back at once with the same unsaved work have each part of it stored once', async () => {
    // Given three people with one another's unsaved blocks and deletions, each with one more of their own
    const { room, log } = await openRoom()
    const shared = openFlow(new Y.Doc())
    for (const id of ['s1', 's2', 's3']) block(id)(shared)
    removeNodes(shared, ['s2'], 'me')
    const people = ['ana', 'joao', 'eva'].map(user => new Peer(room, member(user)))
    for (const [index, peer] of people.entries()) {
      Y.applyUpdate(peer.doc, Y.encodeStateAsUpdate(shared), 'room')
      if (index > 0) block(`own${index}`)(peer.doc)
    }
    // When each answers step 1 with all that the room lacked, before they hear of one another
    const answers = people.map(({ doc }) => step2Frame(Y.encodeStateAsUpdate(doc)))
    for (const [index, peer] of people.entries()) {
      peer.send(answers[index] ?? new Uint8Array())
      await soon(() => expect(peer.acknowledged).toBe(1))
    }
    // Then every struct and every deletion is in one event, and everybody has everything
    const edits = (log.edits.get('d1') ?? []).map(({ edit }) => edit)
    const stored = edits.flatMap(({ update }) => Y.decodeUpdate(update).structs)
    expect(new Set(stored.map(({ id }) => `${id.client} ${id.clock}`)).size).toBe(stored.length)
    expect(edits.filter(({ update }) => Y.decodeUpdate(update).ds.clients.size > 0)).toHaveLength(1)
    expect(edits).toHaveLength(3)
    expect(ids(log.replay('d1'))).toEqual(['own1', 'own2', 's1', 's3'])
    for (const { doc } of people) expect(ids(doc)).toEqual(['own1', 'own2', 's1', 's3'])
  })

  test('drains: stores accepted edits before it closes everyone', async () => {
    const { room, log } = await openRoom()
    const ana = new Peer(room, member('ana'))
    ana.edit(block('n1'))
    await room.drain()
    expect(ana.closed).toBe(4503)
    expect(ids(log.replay('d1'))).toEqual(['n1'])
  })
})
