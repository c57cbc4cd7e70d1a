import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Cluster, figure, type Node, reaching, startCluster } from '#test/nodes/cluster.ts'
import { drawn, Editor } from '#test/nodes/editor.ts'
import { report, sizeOf, TIMEOUT_MS } from './size.ts'

/** R7: rounds of each fault, and edits that are timed from one node to another. */
const ROUNDS = sizeOf('R7', { short: 1, full: 20 })
const EDITS = sizeOf('R7_EDITS', { short: 40, full: 1000 })

let cluster: Cluster
let task: string
let dialog: string
let named = 0
const editors: Editor[] = []

beforeAll(async () => {
  cluster = await startCluster()
  const [{ admin }] = cluster.nodes
  const bot = (await admin.post('/bot', { name: 'Bot' })).body.id
  task = (await admin.post('/dialogtask', { name: 'Tarefa', bot })).body.id
}, TIMEOUT_MS)
beforeEach(async () => {
  dialog = (await cluster.nodes[0].admin.post('/dialog', { name: `Diálogo ${named++}`, dialogtask: task })).body.id
})
afterEach(() => {
  for (const editor of editors.splice(0)) editor.end()
})
afterAll(() => cluster.close())

const enter = async ({ parley, admin }: Node): Promise<Editor> => {
  const editor = new Editor()
  editors.push(editor)
  return editor.join(parley, admin, dialog)
}
const until = (read: () => unknown, timeout = 15_000) => expect.poll(read, { timeout, interval: 10 })
/** Draws on the first and answers after how many ms all others had it. */
const timeToShow = async ([first, ...others]: readonly Editor[]): Promise<number> => {
  const id = `n${named++}`
  const began = performance.now()
  first?.draw(id)
  await Promise.all(others.map(editor => editor.sees(id)))
  return performance.now() - began
}
const timesToShow = async (present: readonly Editor[]): Promise<string> => {
  const times: number[] = []
  for (let n = 0; n < EDITS; n++) {
    times.push(await timeToShow(present))
    // Random pauses: out of step with the room's appends.
    await new Promise(resolve => setTimeout(resolve, Math.random() * 60))
  }
  times.sort((one, other) => one - other)
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)
  return `${at(0.5)} / ${at(0.99)}`
}
const slowest = (times: readonly number[]) => Math.max(...times).toFixed(0)
const converged = async (present: readonly Editor[]) => {
  const [{ admin }] = cluster.nodes
  await until(async () => {
    const stored = drawn(Object.keys((await admin.get(`/dialog/${dialog}/flow`)).body.operators))
    return present.every(({ blocks }) => JSON.stringify(blocks) === JSON.stringify(stored))
  }).toBe(true)
}
/** Runs a fault `ROUNDS` times; returns the time of the slowest. */
const rounds = async (fault: (round: number) => Promise<number>) => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await fault(round))
  return slowest(times)
}

test(
  'an edit shows on the other nodes, with NATS and without, while the node says so and stays ready',
  async () => {
    const present = await Promise.all(cluster.nodes.map(enter))
    const [, two] = cluster.nodes
    const withNats = await timesToShow(present)
    await cluster.nats.stop()
    await reaching(cluster.nodes, false)
    const without = await timesToShow(present)
    expect((await two.parley.anyone.get('/health/ready')).status).toBe(200)
    expect(two.errors().split('NATS is away')).toHaveLength(2)
    await cluster.nats.start()
    await reaching(cluster.nodes, true)
    await converged(present)
    report('R7', {
      edits: EDITS,
      'ms to show on two other nodes, p50 / p99, with NATS': withNats,
      'without NATS': without,
    })
  },
  TIMEOUT_MS,
)

test(
  'NATS cut off, restarted or standing still holds nobody up, and cursors come back with it',
  async () => {
    const present = await Promise.all(cluster.nodes.map(enter))
    const [ana, joao, eva] = present as [Editor, Editor, Editor]
    const pointed = async (x: number) => {
      ana.point(x)
      const began = performance.now()
      await until(() => [joao.pointers, eva.pointers]).toEqual([[x], [x]])
      return performance.now() - began
    }
    await pointed(1)
    const restarted = await rounds(async round => {
      await cluster.nats.stop()
      const shown = timeToShow(present)
      await cluster.nats.start()
      await shown
      const began = performance.now()
      await pointed(round + 2)
      return performance.now() - began
    })
    const frozen = await rounds(async () => {
      cluster.nats.freeze()
      const time = await timeToShow(present)
      await reaching(cluster.nodes, false)
      cluster.nats.thaw()
      await reaching(cluster.nodes, true)
      return time
    })
    await cluster.nats.stop()
    await until(() => [joao.pointers, eva.pointers]).toEqual([[], []])
    await cluster.nats.start()
    await pointed(99)
    await converged(present)
    report('R7', {
      rounds: ROUNDS,
      'ms until cursors cross again after NATS is back': restarted,
      'ms to show an edit while NATS stands still': frozen,
    })
  },
  TIMEOUT_MS,
)

test(
  'stores edits made during a store restart and shows them on every node',
  async () => {
    const present = await Promise.all(cluster.nodes.map(enter))
    const time = await rounds(async () => {
      await cluster.store.stop()
      const shown = timeToShow(present)
      await new Promise(resolve => setTimeout(resolve, 500))
      await cluster.store.start()
      const began = performance.now()
      await shown
      return performance.now() - began
    })
    await converged(present)
    for (const { closed } of present) expect(closed).toBeUndefined()
    report('R7', { rounds: ROUNDS, 'ms to show after the store is back': time })
  },
  TIMEOUT_MS,
)

test(
  'moves the people of a killed node elsewhere with all their edits, and removes its cursors',
  async () => {
    const [one, , three] = cluster.nodes
    const eva = await enter(three)
    const fading: number[] = []
    const time = await rounds(async round => {
      const doomed = await cluster.join()
      const ana = await enter(doomed)
      ana.point(round)
      await until(() => eva.pointers).toEqual([round])
      for (let n = 0; n < 20; n++) ana.draw(`n${named++}`)
      await doomed.parley.end('SIGKILL')
      const began = performance.now()
      const last = `n${named++}`
      ana.draw(last)
      await until(() => eva.pointers).toEqual([])
      fading.push(performance.now() - began)
      const moved = performance.now()
      await ana.join(one.parley, one.admin, dialog)
      await eva.sees(last)
      const took = performance.now() - moved
      await converged([ana, eva])
      ana.leave()
      return took
    })
    report('R7', {
      rounds: ROUNDS,
      'ms until a dead node’s cursors fade': slowest(fading),
      'ms to show on a third node after moving': time,
    })
  },
  TIMEOUT_MS,
)

test(
  'a node that finds no NATS starts, works, and joins when it is there',
  async () => {
    await cluster.nats.stop()
    const fourth = await cluster.join()
    const [ana, eva] = [await enter(fourth), await enter(cluster.nodes[2])]
    await timeToShow([ana, eva])
    await cluster.nats.start()
    await until(() => figure(fourth, 'parley_nats_connected')).toBe(1)
    ana.point(9)
    await until(() => eva.pointers).toEqual([9])
    expect(await fourth.parley.end('SIGTERM')).toBe(0)
  },
  TIMEOUT_MS,
)
