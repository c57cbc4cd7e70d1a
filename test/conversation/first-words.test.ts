import { afterEach, describe, expect, test } from 'vitest'
import { type EventStore, storeAround } from '#commands/store/port.ts'
import { isFull } from '../fixture/full.ts'
import { type DeskNode, type DeskWorld, openDeskWorld } from './desk-world.ts'
import { pageOf, until } from './handed.ts'
import { begin, talkOf } from './world.ts'

let world: DeskWorld
afterEach(() => world?.close())

const camila = { user: 'camila', isBoss: false }

const opened = async (seam?: Seam): Promise<DeskNode> => {
  world = await openDeskWorld()
  world.directory.setQueue('q1', ['camila', 'diego'])
  return world.node(seam === undefined ? {} : { store: seam.around(world.world.store) })
}
const isHeldBy = ({ desk }: DeskNode, conversation: string, user: string) =>
  until(() => expect(desk.index.get(conversation)?.holder).toBe(user))

/** Calls to the store that decide the conversation of a person: each reads or writes what another node may change. */
const SEAM_CALLS = ['read claims', 'read newest', 'revision of newest', 'claim', 'open'] as const
type SeamCall = (typeof SEAM_CALLS)[number]

/** The side that stops first and ends first, the call before which it stops, and that of the other side. */
const orders = (): readonly (readonly ['agent' | 'person', SeamCall, SeamCall])[] => {
  const every = SEAM_CALLS.flatMap(at => SEAM_CALLS.map(otherAt => [at, otherAt] as const))
  const some = [
    // Both have read the same claims.
    ['claim', 'claim'],
    // One has claimed, and opens it while the other asks whether anyone did.
    ['open', 'revision of newest'],
    // Both open the claimed one.
    ['open', 'open'],
  ] as const
  return (['agent', 'person'] as const).flatMap(early => (isFull ? every : some).map(at => [early, ...at] as const))
}

/** Stops the work of a node before one of its calls to the store. */
class Seam {
  readonly passed = new Set<SeamCall>()
  #stop: { readonly at: SeamCall; readonly reached: () => void; readonly released: Promise<void> } | undefined
  #release = (): void => undefined
  #hasRead = false

  around(store: EventStore): EventStore {
    const seam = this
    return storeAround(store, {
      async append(stream, expected, events) {
        if (stream.startsWith('chatperson-')) await seam.#pass('claim')
        if (stream.startsWith('conversation-') && expected === 0) await seam.#pass('open')
        return store.append(stream, expected, events)
      },
      async *read(stream, options) {
        if (stream.startsWith('chatperson-')) {
          await seam.#pass('read claims')
          seam.#hasRead = true
        } else if (stream.startsWith('conversation-') && seam.#hasRead) await seam.#pass('read newest')
        yield* store.read(stream, options)
      },
      async revision(stream) {
        if (stream.startsWith('conversation-')) await seam.#pass('revision of newest')
        return store.revision(stream)
      },
    })
  }

  /** Begins work that stops before its first call of one kind. `stopped` resolves there, or at its end. */
  until<T>(at: SeamCall, work: () => Promise<T>): { readonly stopped: Promise<unknown>; readonly done: Promise<T> } {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    this.#stop = { at, reached: reached.resolve, released: released.promise }
    this.#release = released.resolve
    this.#hasRead = false
    const done = work()
    return { stopped: Promise.race([reached.promise, done]), done }
  }

  proceed(): void {
    this.#stop = undefined
    this.#release()
  }

  async #pass(call: SeamCall): Promise<void> {
    this.passed.add(call)
    const stop = this.#stop
    if (stop?.at !== call) return
    this.#stop = undefined
    stop.reached()
    await stop.released
  }
}

describe('an agent who writes first', () => {
  const ANA = '5511988800001'
  const DAY_MS = 86_400_000
  const words = (text: string, more: object = {}) => ({
    ...{ id: crypto.randomUUID(), text, files: [], seen: '' },
    ...more,
  })
  const asking = async (channelType: 'whatsapp_zenvia' | 'webchat' = 'whatsapp_zenvia', seam?: Seam) => {
    const node = await opened(seam)
    world.world.channelType = channelType
    world.directory.setUser('camila')
    return node
  }
  /** A message of a person, as a provider brings it. Returns its conversation. */
  const wrote = async ({ on }: DeskNode, text: string): Promise<string> => {
    const id = crypto.randomUUID()
    const found = await on.openFor({ channel: 'web', user: { id: ANA } }, id)
    if (!found.ok) throw new Error(found.refusal.code)
    await on.accept(found.value.conversation, { id, type: 'text', text })
    await on.settled(found.value.conversation, 5_000)
    return found.value.conversation
  }
  const ended = async (node: DeskNode): Promise<string> => {
    const conversation = await wrote(node, 'oi')
    await node.on.end(conversation, 'person')
    return conversation
  }
  /** Conversations of the person that have not ended, as the log has them. */
  const liveOf = async ({ desk }: DeskNode): Promise<readonly string[]> => {
    const ids = new Set<string>()
    const claims = world.world.store.readAll({ filter: { streamPrefixes: ['chatperson-'] } })
    for await (const { data } of claims) ids.add(String(data.conversation))
    const held = await Promise.all([...ids].map(id => desk.load(id)))
    return held.flatMap(one => (one !== undefined && one.ended === undefined ? [one.id] : []))
  }
  const write = (node: DeskNode, conversation: string, said = words('Seu pedido chegou')) =>
    node.desk.firstWords.write(conversation, camila, said, undefined)

  test('begins a conversation with the person, and holds it [P-2650]', async () => {
    const node = await asking()
    const before = await ended(node)
    const said = words('Seu pedido chegou')
    const first = await write(node, before, said)
    if (!first.ok) throw new Error(first.refusal.code)
    const { conversation } = first.value
    expect(conversation).not.toBe(before)
    expect(await write(node, before, said)).toMatchObject({ ok: true, value: { conversation } })
    await isHeldBy(node, conversation, 'camila')
    expect(await talkOf(node.on, conversation)).toEqual(['agent: Seu pedido chegou'])
    const held = await node.desk.load(conversation)
    expect(held?.user).toEqual({ id: ANA })
    expect(held?.person).toBe((await node.desk.load(before))?.person)
    expect(node.on.index.get(conversation)).toMatchObject({ origin: 'agent', channel: 'web', status: 'agent' })
    expect(node.on.index.get(before)).toMatchObject({ origin: 'person', status: 'ended' })
    await until(() => expect(node.desk.index.load('camila')).toBe(1))
    expect(await node.desk.sweep()).toBe(0)

    // An answer of the person reaches the agent, and the bot after the chat was closed.
    expect(await wrote(node, 'obrigada')).toBe(conversation)
    expect(await node.desk.work.close(conversation, camila, {})).toMatchObject({ ok: true })
    await until(async () => expect((await pageOf(node.on, conversation)).state).toBe('idle'))
    expect(await wrote(node, 'e agora?')).toBe(conversation)
    expect((await talkOf(node.on, conversation)).filter(line => !line.includes('camila'))).toEqual([
      ...['agent: Seu pedido chegou', 'user: obrigada', 'user: e agora?', 'bot: Oi?'],
    ])
    await until(() => expect(node.desk.index.load('camila')).toBe(0))
  })

  test('keeps to the window of the channel, counted from the last word of the person [P-2651]', async () => {
    const node = await asking()
    const before = await ended(node)
    const last = world.world.now
    world.world.now = last + DAY_MS - 60_000
    const first = await write(node, before)
    if (!first.ok) throw new Error(first.refusal.code)
    const { conversation } = first.value
    expect(await node.desk.work.say(conversation, camila, words('Mais uma coisa'))).toMatchObject({ ok: true })
    world.world.now = last + DAY_MS + 1
    const until_ = new Date(last + DAY_MS).toISOString()
    const over = { ok: false, refusal: { code: 'desk.window', params: { until: until_ } } }
    expect(await node.desk.work.say(conversation, camila, words('Tarde demais'))).toMatchObject(over)
    expect(await node.on.end(conversation, 'person')).toMatchObject({ ok: true })
    // The words of the agent open no window.
    expect(await write(node, before)).toMatchObject(over)
    expect(await write(node, conversation)).toMatchObject(over)
    const template = { id: 'saiu', values: { 1: 'Pedido 9' } }
    const sent = await write(node, conversation, words('Oi! Pedido 9 saiu.', { template }))
    if (!sent.ok) throw new Error(sent.refusal.code)
    const message = (await pageOf(node.on, sent.value.conversation)).messages[0]
    expect(message).toMatchObject({ from: 'agent', text: 'Oi! Pedido 9 saiu.', template })
  })

  test('is refused while the person is in a conversation, and where nobody could read the words [P-2652]', async () => {
    const node = await asking()
    const before = await ended(node)
    const again = await wrote(node, 'oi de novo')
    const open = { ok: false, refusal: { code: 'conversation.open', params: { conversation: again } } }
    expect(await write(node, before)).toMatchObject(open)
    expect(await write(node, again)).toMatchObject(open)
    await node.on.end(again, 'person')
    expect(await write(node, before, words('  '))).toMatchObject({ refusal: { code: 'validation.failed' } })
    expect(await write(node, before, words('Oi {person.name}'))).toMatchObject({ refusal: { code: 'desk.canned' } })
    world.world.operate({ runningstatus: 'stopped' })
    expect(await write(node, before)).toMatchObject({ refusal: { code: 'bot.stopped' } })
    world.world.operate({ runningstatus: 'running' })
    await node.on.forget(again)
    expect(await write(node, before)).toMatchObject({ refusal: { code: 'conversation.unreachable' } })
    world.world.channelType = 'webchat'
    const page = await begin(node.on, 'bia')
    await node.on.end(page, 'person')
    expect(await write(node, page)).toMatchObject({ refusal: { code: 'conversation.unreachable' } })
    expect(await write(node, crypto.randomUUID())).toMatchObject({ refusal: { code: 'entity.notfound' } })
    expect((await node.desk.places.read('camila')).slots).toEqual([])
  })

  test('shares one conversation with a person who writes at that moment, on another node [P-2653]', async () => {
    const node = await asking()
    const other = await world.node()
    for (let round = 0; round < 5; round += 1) {
      const before = await ended(other)
      const [first, live] = await Promise.all([write(node, before), wrote(other, `oi ${round}`)])
      if (first.ok) expect(first.value.conversation).toBe(live)
      else expect(first.refusal).toMatchObject({ code: 'conversation.open', params: { conversation: live } })
      await until(async () => expect((await node.desk.load(live))?.inbox).toEqual([]))
      const talk = await talkOf(node.on, live)
      expect(talk.filter(line => line === `user: oi ${round}`)).toHaveLength(1)
      expect(talk.filter(line => line === 'agent: Seu pedido chegou')).toHaveLength(first.ok ? 1 : 0)
      await node.on.end(live, 'person')
      await until(async () => expect((await node.desk.places.read('camila')).slots).toEqual([]))
    }
  })

  test('shares one conversation with the person in every order of claims, reads and openings [P-2653]', async () => {
    const [agent, person] = [new Seam(), new Seam()]
    const node = await asking('whatsapp_zenvia', agent)
    const other = await world.node({ store: person.around(world.world.store) })
    const sides = { agent, person }
    const results = new Set<string>()
    for (const [early, at, otherAt] of orders()) {
      const late = early === 'agent' ? 'person' : 'agent'
      const order = `${early} at ${at}, ${late} at ${otherAt}`
      const before = await ended(other)
      const done: { first?: Awaited<ReturnType<typeof write>>; live: string } = { live: '' }
      const works = {
        agent: async () => {
          done.first = await write(node, before)
        },
        person: async () => {
          done.live = await wrote(other, 'oi')
        },
      }
      // The early one stops at its call, the late one at its own; then the early one ends first.
      const isFirst = sides[early].until(at, works[early])
      await isFirst.stopped
      const isSecond = sides[late].until(otherAt, works[late])
      await isSecond.stopped
      sides[early].proceed()
      await isFirst.done
      sides[late].proceed()
      await isSecond.done
      const { first, live } = done
      if (first === undefined) throw new Error('the agent did not write')
      if (first.ok) expect(first.value.conversation, order).toBe(live)
      else expect(first.refusal, order).toMatchObject({ code: 'conversation.open', params: { conversation: live } })
      results.add(first.ok ? 'begun' : 'refused')
      expect(await liveOf(node), order).toEqual([live])
      await until(async () => expect((await node.desk.load(live))?.inbox).toEqual([]))
      const talk = await talkOf(node.on, live)
      expect(
        talk.filter(line => line === 'user: oi'),
        order,
      ).toHaveLength(1)
      expect(
        talk.filter(line => line === 'agent: Seu pedido chegou'),
        order,
      ).toHaveLength(first.ok ? 1 : 0)
      await node.on.end(live, 'person')
      await until(async () => expect((await node.desk.places.read('camila')).slots).toEqual([]))
    }
    expect([...results].sort()).toEqual(['begun', 'refused'])
    for (const { passed } of [agent, person]) expect([...passed].sort()).toEqual([...SEAM_CALLS].sort())
  })

  test('is no figure of the bot [P-2654]', async () => {
    const node = await asking()
    const before = await ended(node)
    const filter = { bot: 'bot', dialog: 'main', releases: [1], from: '2026-05-01', to: '2026-05-31' }
    const counted = () => node.on.index.visits.counts(filter)
    await until(() => expect(counted()).toContainEqual({ block: 'ask', what: 'lost', n: 1 }))
    const of = counted()
    const first = await write(node, before)
    if (!first.ok) throw new Error(first.refusal.code)
    const { conversation } = first.value
    await node.desk.work.close(conversation, camila, {})
    await until(async () => expect((await pageOf(node.on, conversation)).state).toBe('idle'))
    await wrote(node, 'e agora?')
    expect((await talkOf(node.on, conversation)).at(-1)).toBe('bot: Oi?')
    await node.on.end(conversation, 'person')
    await until(() => expect(node.on.index.get(conversation)?.status).toBe('ended'))
    expect(counted()).toEqual(of)
    expect(node.on.index.visits.waiting(filter)).toEqual([])
    const rebuilt = await world.node()
    await until(() => expect(rebuilt.on.index.get(conversation)?.status).toBe('ended'))
    expect(rebuilt.on.index.visits.counts(filter)).toEqual(of)
  })

  test('greets by a takeover only within the window of the channel [P-2655]', async () => {
    const node = await asking()
    const texts = [{ id: 't1', moment: 'joined' as const, text: '{agent} entrou' }]
    world.directory.setQueue('q1', ['camila'], { texts })
    const greeted = async (conversation: string) => {
      expect(await node.desk.work.takeOver(conversation, camila, undefined)).toMatchObject({ ok: true })
      await isHeldBy(node, conversation, 'camila')
      return (await talkOf(node.on, conversation)).filter(line => line === 'bot: camila entrou')
    }
    expect(await greeted(await wrote(node, 'oi'))).toHaveLength(1)
    // The person has not written in it.
    expect(await greeted(await begin(node.on, '5511988800002'))).toEqual([])
  })
})
