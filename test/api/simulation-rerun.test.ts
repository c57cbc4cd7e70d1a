import { expect, test } from 'vitest'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import type { Answer } from './harness.ts'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()

const draw = (greeting: string) =>
  admin.put(`/dialog/${dialog}/flow`, {
    format: 'parley-flow',
    version: 1,
    operators: {
      start: plainBlock('start', 0),
      hello: plainBlock('text', 90, { text: greeting }),
      ask: plainBlock('prompt', 180, { varname: 'pedido', data: { type: 'number', text: 'Qual pedido?' } }),
      call: plainBlock('restservice', 270, { url: 'https://loja.example/{{pedido}}', resultVariable: 'r' }),
      told: plainBlock('text', 360, { text: 'Chega {{r.dia}}' }),
    },
    links: {
      a: link('start', 'hello'),
      b: link('hello', 'ask'),
      c: link('ask', 'call'),
      d: link('call', 'told'),
    },
  })

const { bot, dialog } = await admin.createDialog({ name: 'Loja' }, 'Pedidos', 'Prazo')
await draw('Olá')

const said = ({ body }: Answer): readonly string[] =>
  (body.said as unknown as readonly { readonly text: string }[]).map(({ text }) => text)

test('after an edit it runs again from a block that has run, with the values and answers of then [R-81] [P-1430]', async () => {
  const { simulation } = (await admin.post(`/bot/${bot}/simulation`, { dialog })).body
  const act = (name: string, body: object) => admin.post(`/simulation/${simulation}/${name}`, body)
  await act('say', { text: '17' })
  await act('answer', { status: 404 })
  await draw('Boa tarde')
  const asked = await act('rerun', { dialog, block: 'hello' })
  expect(said(asked)).toEqual(['Boa tarde', 'Qual pedido?'])
  expect(asked.body).toMatchObject({ status: 'waiting', at: { block: 'ask' }, state: { conversation: {} } })
  await act('say', { text: '18' })
  await act('answer', { status: 200, body: { dia: 'hoje' } })
  // The call was answered before: the blocks after it rerun without it.
  const stopped = await act('rerun', { dialog, block: 'told', paused: true })
  expect(stopped.body).toMatchObject({
    status: 'paused',
    at: { block: 'told' },
    state: { conversation: { pedido: 18 } },
  })
  const told = await act('run', {})
  expect([said(told).at(-1), told.body.status]).toEqual(['Chega hoje', 'idle'])
  const called = await act('rerun', { dialog, block: 'call' })
  expect([called.body.status, said(called).at(-1)]).toEqual(['calling', '18'])
  expect((await act('rerun', { dialog, block: 'other' })).body.code).toBe('simulation.turn')
})
