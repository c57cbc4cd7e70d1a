import { afterEach, expect, test } from 'vitest'
import { caller, openWorkbench } from '#commands/fixture/workbench.ts'
import { Hints, MemoryBus } from '#realtime/cluster/hints.ts'
import { NodeList, Questions } from '#realtime/cluster/node-requests.ts'
import { DeskLink } from './desk-port.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const join = (bus: MemoryBus, name: string) => {
  const hints = new Hints({ bus: bus.join(), store: 's', key: 'k' })
  const nodes = new NodeList({ hints, name })
  const questions = new Questions({ hints, nodes, failed: () => undefined })
  closing.push(
    () => questions.close(),
    () => nodes.close(),
  )
  return questions
}

test('refuses to turn the desk on while a node of a build without it runs, and names it [P-2352]', async () => {
  const bus = new MemoryBus()
  const link = new DeskLink(join(bus, 'um'))
  const bench = await openWorkbench()
  closing.push(() => bench.close())
  const nodesWithoutDesk = () => link.nodesWithout()
  const handler = bench.again({ nodesWithoutDesk })
  const bot = (await bench.must('bot', 'create', '', { name: 'Lume' })).id
  const make = (type: string) =>
    handler.execute({
      ...{ entity: 'agentchannel', action: 'create', id: '', caller: caller(), correlation: 'test' },
      input: { bot, type },
    })
  expect(await make('parley')).toMatchObject({ ok: true })
  new DeskLink(join(bus, 'dois'))
  const old = join(bus, 'antigo')
  await new Promise(resolve => setTimeout(resolve, 5))
  expect(await make('parley')).toMatchObject({ refusal: { code: 'desk.nodes', params: { nodes: 'antigo' } } })
  expect(await make('tiledesk')).toMatchObject({ ok: true })
  new DeskLink(old)
  expect(await make('parley')).toMatchObject({ ok: true })
})
