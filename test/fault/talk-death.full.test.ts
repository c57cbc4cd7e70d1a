import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { StoreUnavailable } from '#commands/store/port.ts'
import { ask, type DialogSketch, releaseOf, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import { STORES, stopServer } from '#test/conversation/stores.ts'
import { openWorld, type World } from '#test/conversation/world.ts'
import { randomOf } from '#test/realtime/random.ts'
import { CountingShop, type MortalNode, openMortalNode } from './mortal-node.ts'
import { report, SEED, sizeOf, TIMEOUT_MS } from './size.ts'

const DEATHS = sizeOf('DEATHS', { short: 20, full: 1000 })
/** Nodes of one round; each dies at a different point. */
const TOGETHER = 10
/** Rounds over one log. */
const ROUNDS = 10
const PEOPLE = 3
/** Appends and calls of the people of one node are about as many points. */
const POINTS = 130
const PART_TURNS = 3
/** Messages of each person, sent in batches. */
const BATCHES = [['1', '2'], ['3'], ['4', '5']] as const
const NUMBERS = BATCHES.flat()
const CLAIM_MS = 31_000
const SETTLED_MS = 60_000
const MAX_TRIES = 20
/** Longest silence, on any busy machine, unless a turn was interrupted. */
const STILL_MS = 20_000
const ANSWER = /^(?:Pedido|Falhou) (\d+)/u

const call = (methodType: string, to: string): DialogSketch[string] => ({
  type: 'restservice',
  properties: { methodType, url: 'https://shop.example', resultVariable: 'order', errorVariable: 'fault' },
  to: { output_1: to, output_error: 'failed' },
})
const BUYING: DialogSketch = {
  start,
  a: ask('text', 'n', 'look'),
  look: call('get', 'buy'),
  buy: call('post', 'done'),
  done: tell('Pedido {{n}}', 'a'),
  failed: tell('Falhou {{n}} {{fault.code}}', 'a'),
}

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
  await stopServer()
})

/** A user who sends every number, and again to another node that answers. */
class Person {
  conversation = ''
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  async talk(node: OpenedConversations): Promise<void> {
    if (this.conversation === '') {
      const opened = await node.open({ channel: 'web', user: { id: this.#name }, begins: true })
      if (!opened.ok) throw new Error(opened.refusal.code)
      this.conversation = opened.value.conversation
    }
    for (const batch of BATCHES) {
      await Promise.all(batch.map(text => node.accept(this.conversation, { id: text, type: 'text', text })))
      await node.settled(this.conversation, SETTLED_MS)
    }
  }

  /**
   * Retries until all is accepted: on a busy machine a store may not answer, and a turn interrupted by that resumes
   * when its claim ends.
   */
  async insist(on: World, node: OpenedConversations): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const talked = this.talk(node).then(
        () => true,
        error => {
          if (!(error instanceof StoreUnavailable)) throw error
          return false
        },
      )
      if (await Promise.race([talked, pause(STILL_MS, false)])) return
      on.now += CLAIM_MS
    }
    throw new Error(`${this.conversation} stands still`)
  }

  /** Faults of the conversation as a node reads it, and how many orders have an outcome that is not known. */
  async checked(node: OpenedConversations): Promise<{ readonly faults: readonly string[]; readonly unknown: number }> {
    const page = await node.read(this.conversation, '', 1000)
    const said = (page?.messages ?? []).flatMap(({ from, text }) => (from === 'user' ? [String(text)] : []))
    const texts = (page?.messages ?? []).map(({ text }) => String(text))
    const told = texts.flatMap(text => ANSWER.exec(text)?.[1] ?? [])
    const isWhole =
      said.toSorted().join() === NUMBERS.join() && told.join() === said.join() && page?.state === 'waiting'
    return {
      faults: isWhole ? [] : [`${this.conversation}: stored ${said}, answered ${told}, ${page?.state}`],
      unknown: texts.filter(text => text.endsWith(' unknown')).length,
    }
  }
}

interface Count {
  deaths: number
  conversations: number
  unknown: number
  longest: number
}

/** Nodes die; their users continue at another. */
const playRound = async (on: World, survivor: OpenedConversations, shop: CountingShop, seed: number, count: Count) => {
  const random = randomOf(seed)
  const nodes = await Promise.all(
    Array.from({ length: TOGETHER }, (_, place) => openMortalNode(on, shop, 2 + random(POINTS), seed * 100 + place)),
  )
  const people = nodes.map((_, place) => Array.from({ length: PEOPLE }, (__, n) => new Person(`${seed} ${place} ${n}`)))
  const talkOn = async ({ node, death }: MortalNode, talking: readonly Person[]) => {
    if (node === undefined) return
    const all = Promise.all(talking.map(person => person.talk(node).catch(() => undefined)))
    await Promise.race([all, death])
  }
  await Promise.all(nodes.map((node, place) => talkOn(node, people[place] ?? [])))
  count.deaths += nodes.filter(({ isDead }) => isDead()).length
  await Promise.all(nodes.map(node => node.bury()))
  on.now += CLAIM_MS
  const began = performance.now()
  const all = people.flat()
  await Promise.all(all.map(person => person.insist(on, survivor)))
  count.longest = Math.max(count.longest, performance.now() - began)
  count.conversations += all.length
  const faults: string[] = []
  for (const person of all) {
    const checked = await person.checked(survivor)
    faults.push(...checked.faults)
    count.unknown += checked.unknown
  }
  expect({ seed, faults, twice: shop.twice() }).toEqual({ seed, faults: [], twice: [] })
  return all
}

test.each(Object.entries(STORES))(
  `nodes over %s that die at any point of turns (${DEATHS} deaths): each message is answered once, no order is placed twice [P-1010] [R-60] [R-65] [R-66] [R-67]`,
  async (store, openStore) => {
    const began = performance.now()
    const count: Count = { deaths: 0, conversations: 0, unknown: 0, longest: 0 }
    const shop = new CountingShop()
    for (let round = 0; count.deaths < DEATHS; ) {
      const on = await openWorld(BUYING, { userTimeout: 0, endTimeout: 0 }, releaseOf({ main: BUYING }), openStore)
      world = on
      on.partTurns = PART_TURNS
      const rest = async (effect: Parameters<CountingShop['take']>[0]) => {
        shop.take(effect)
        return { kind: 'rest', ms: 1, ok: true, status: 200, body: { code: 'A1' } } as const
      }
      // On a busy machine its store may not answer: it recovers, and the result is checked.
      const survivor = await on.node({ rest, dies: true })
      const people: Person[] = []
      for (const end = round + ROUNDS; round < end && count.deaths < DEATHS; round += 1) {
        people.push(...(await playRound(on, survivor, shop, SEED * 100_000 + round, count)))
      }
      // As a node reads it that was not there.
      const other = await on.node()
      for (const person of people) expect((await person.checked(other)).faults).toEqual([])
      await survivor.close()
      await on.close()
      await stopServer()
      world = undefined
    }
    report('nodes that die in conversation', {
      store,
      deaths: count.deaths,
      conversations: count.conversations,
      messages: count.conversations * NUMBERS.length,
      orders: shop.byNumber.size,
      'with an outcome that is not known': count.unknown,
      'ms until all go on, longest': Math.round(count.longest),
      seconds: Math.round((performance.now() - began) / 1000),
    })
  },
  2 * TIMEOUT_MS,
)
