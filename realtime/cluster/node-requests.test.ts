import { afterEach, describe, expect, test, vi } from 'vitest'
import { ownClock } from '#test/fixture/processor-clock.ts'
import { Hints, MemoryBus } from './hints.ts'
import { NodeList, Questions } from './node-requests.ts'

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

const settled = () => new Promise(resolve => setTimeout(resolve, 5))

const join = (bus: MemoryBus, name: string) => {
  const end = bus.join()
  const hints = new Hints({ bus: end, store: 's', key: 'k' })
  const failed = vi.fn()
  const nodes = new NodeList({ hints, name })
  const questions = new Questions({ hints, nodes, failed })
  closing.push(
    () => questions.close(),
    () => nodes.close(),
  )
  return { hints, nodes, questions, failed, end }
}
const three = async () => {
  const bus = new MemoryBus()
  const nodes = [join(bus, 'one'), join(bus, 'two'), join(bus, 'three')] as const
  await settled()
  return nodes
}

describe('a question to all nodes', () => {
  test('collects the answers and ends with the last one [P-1540]', async () => {
    const [one, two, three_] = await three()
    two.questions.answer('sum', async content => ({ two: content }))
    three_.questions.answer('sum', async content => ({ three: content }))
    const began = ownClock()
    const { answers, silent } = await one.questions.ask('sum', [1])
    expect(answers).toEqual([{ two: [1] }, { three: [1] }])
    expect(silent).toEqual([])
    expect(ownClock() - began).toBeLessThan(500)
  })

  test('names the nodes that do not answer within a second, and those that fail [P-1540]', async () => {
    const [one, two, three_] = await three()
    two.questions.answer('sum', () => new Promise(() => {}))
    three_.questions.answer('sum', async () => {
      throw new Error('broken')
    })
    const [began, clock] = [performance.now(), ownClock()]
    expect(await one.questions.ask('sum', null)).toEqual({ answers: [], silent: ['two', 'three'] })
    expect(performance.now() - began).toBeGreaterThan(900)
    expect(ownClock() - clock).toBeLessThan(1_500)
    expect(three_.failed).toHaveBeenCalledOnce()
  })

  test('of a lone node ends at once', async () => {
    const { questions } = join(new MemoryBus(), 'one')
    expect(await questions.ask('sum', null)).toEqual({ answers: [], silent: [] })
  })
})

describe('a question to one node', () => {
  test('is answered by that node alone, also with more than a message holds [P-1540]', async () => {
    const [one, two, three_] = await three()
    const large = 'x'.repeat(3_000_000)
    const other = vi.fn(async () => null)
    two.questions.answer('text', async () => large)
    three_.questions.answer('text', other)
    expect(await one.questions.askNode(two.questions.node, 'text', null)).toBe(large)
    expect(other).not.toHaveBeenCalled()
  })

  test('has no answer when it is unknown, fails, answers too much, or leaves meanwhile [P-1540]', async () => {
    const [one, two, three_] = await three()
    expect(await one.questions.askNode('gone', 'text', null)).toBeUndefined()
    two.questions.answer('text', async () => 'x'.repeat(20_000_000))
    expect(await one.questions.askNode(two.questions.node, 'text', null)).toBeUndefined()
    expect(two.failed).toHaveBeenCalledOnce()
    three_.questions.answer('text', () => new Promise(() => {}))
    const left = one.questions.askNode(three_.questions.node, 'text', null)
    three_.nodes.close()
    expect(await left).toBeUndefined()
  })
})

test('a question that a node can not take is without an answer at once [P-1540]', async () => {
  const [one, two] = await three()
  const began = ownClock()
  expect(await one.questions.askNode(two.questions.node, 'nothing', null)).toBeUndefined()
  two.questions.answer('text', () => new Promise(() => {}))
  for (let n = 0; n < 100; n += 1) void one.questions.askNode(two.questions.node, 'text', null)
  expect(await one.questions.askNode(two.questions.node, 'text', null)).toBeUndefined()
  expect(ownClock() - began).toBeLessThan(2_000)
  two.nodes.close()
})

describe('the list of nodes', () => {
  test('forgets a node after 25 s without a beat, and none for the time without the bus [P-1540]', async () => {
    const bus = new MemoryBus()
    const [mine, theirs] = [bus.join(), bus.join()]
    let isConnected = true
    Object.defineProperty(mine, 'connected', { get: () => isConnected })
    const hints = new Hints({ bus: mine, store: 's', key: 'k' })
    let time = 0
    const nodes = new NodeList({ hints, name: 'one', now: () => time })
    closing.push(() => nodes.close())
    new Hints({ bus: theirs, store: 's', key: 'k' }).send('nodes', { kind: 'here', name: 'two' })
    await settled()
    expect([...nodes.others().values()]).toEqual(['two'])
    isConnected = false
    time = 60_000
    expect([...nodes.others().values()]).toEqual(['two'])
    isConnected = true
    expect([...nodes.others().values()]).toEqual(['two'])
    time += 25_001
    expect([...nodes.others().values()]).toEqual([])
  })

  test('has at most 200 nodes, for any messages [P-1540]', async () => {
    const bus = new MemoryBus()
    const { nodes } = join(bus, 'one')
    for (let n = 0; n < 250; n++)
      new Hints({ bus: bus.join(), store: 's', key: 'k' }).send('nodes', { kind: 'here', name: `n${n}` })
    await settled()
    expect(nodes.others().size).toBe(200)
  })
})
