import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Parley } from '#test/api/harness.ts'
import { isFull } from '#test/fixture/full.ts'
import { type Cluster, figure, type Node, openCluster, startCluster } from './cluster.ts'
import { drawn, Editor } from './editor.ts'

let cluster: Cluster<Parley>
let one: Node<Parley>
let two: Node<Parley>
let three: Node<Parley>
let task: string
const editors: Editor[] = []

beforeAll(async () => {
  cluster = await (isFull ? startCluster() : openCluster())
  ;[one, two, three] = cluster.nodes
  const bot = (await one.admin.post('/bot', { name: 'Bot' })).body.id
  task = (await one.admin.post('/dialogtask', { name: 'Tarefa', bot })).body.id
}, 120_000)
afterEach(() => {
  for (const editor of editors.splice(0)) editor.end()
})
afterAll(() => cluster.close())

let named = 0
const makeDialog = async () =>
  (await one.admin.post('/dialog', { name: `Diálogo ${named++}`, dialogtask: task })).body.id

/** Enters the room of a dialog through a node. */
const enter = async ({ parley, admin }: Node<Parley>, dialog: string): Promise<Editor> => {
  const editor = new Editor()
  editors.push(editor)
  return editor.join(parley, admin, dialog)
}
const all = (dialog: string) => Promise.all([one, two, three].map(node => enter(node, dialog)))
const soon = (check: () => void) => vi.waitFor(check, { interval: 20 })
const until = (read: () => unknown) => expect.poll(read, { interval: 20 })
const agree = (present: readonly Editor[], blocks: readonly string[]) =>
  soon(() => {
    for (const editor of present) expect(editor.blocks).toEqual(blocks)
  })
const live = async ({ admin }: Node<Parley>, dialog: string) =>
  drawn(Object.keys((await admin.get(`/dialog/${dialog}/flow`)).body.operators))

describe('one room on three nodes', () => {
  test('an edit, a cursor and who is there cross nodes at once, by hints', async () => {
    const dialog = await makeDialog()
    const [ana, joao, eva] = (await all(dialog)) as [Editor, Editor, Editor]
    ana.draw('a')
    joao.draw('b')
    eva.draw('c')
    await agree([ana, joao, eva], ['a', 'b', 'c'])
    ana.point(11)
    joao.point(22)
    await soon(() => expect(eva.pointers).toEqual([11, 22]))
    await until(async () => {
      const { editing } = (await three.admin.get('/home')).body
      return (editing as { id: string }[]).map(({ id }) => id)
    }).toEqual([dialog])
    joao.end()
    await soon(() => expect(eva.pointers).toEqual([11]))
    expect(await figure(two, 'parley_hints_total{outcome="sent"}')).toBeGreaterThan(0)
    expect(await figure(two, 'parley_hints_total{outcome="received"}')).toBeGreaterThan(0)
    expect(await figure(two, 'parley_nats_connected')).toBe(1)
  })

  test('shows pointers on other nodes to late joiners', async () => {
    const dialog = await makeDialog()
    const ana = await enter(one, dialog)
    ana.point(33)
    const eva = await enter(three, dialog)
    await soon(() => expect(eva.pointers).toEqual([33]))
  })

  test('loses no edit of a person moved between nodes', async () => {
    const dialog = await makeDialog()
    const [ana, eva] = [await enter(one, dialog), await enter(three, dialog)]
    for (let n = 0; n < 30; n++) {
      ana.draw(`n${String(n).padStart(2, '0')}`)
      if (n % 10 === 5) await ana.join((n === 15 ? one : two).parley, (n === 15 ? one : two).admin, dialog)
    }
    ana.point(7)
    const blocks = Array.from({ length: 30 }, (_, n) => `n${String(n).padStart(2, '0')}`)
    await agree([ana, eva], blocks)
    await soon(() => expect(eva.pointers).toEqual([7]))
    await until(() => live(two, dialog)).toEqual(blocks)
  })

  test('a flow that a command replaces on one node changes in the rooms of the others', async () => {
    const dialog = await makeDialog()
    const [ana, eva] = [await enter(one, dialog), await enter(three, dialog)]
    const block = { type: 'text', title: 'x', top: 0, left: 0, properties: { inputs: {}, outputs: {} } }
    const operators = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`o${n}`, block]))
    const put = await two.admin.put(`/dialog/${dialog}/flow`, {
      format: 'parley-flow',
      version: 1,
      operators,
      links: {},
    })
    expect(put.status).toBe(200)
    await agree([ana, eva], Object.keys(operators).sort())
  })

  test('sends an edit refused by a dialog room to no other node', async () => {
    const dialog = await makeDialog()
    const [ana, eva] = [await enter(one, dialog), await enter(three, dialog)]
    eva.draw('good')
    await agree([ana, eva], ['good'])
    ana.doc.getMap('nodes').set('bad', 'no block')
    await soon(() => expect(ana.closed).toBe(4400))
    eva.draw('later')
    await until(() => live(two, dialog)).toEqual(['good', 'later'])
  })
})
