import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#test/api/harness.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'

export const VERIFY_TOKEN = 'verify-token-of-the-channel'

/** A shop that counts its requests. It answers after up to `slowMs`. Test code only. */
export const startShop = async (slowMs: number) => {
  /** Orders by their `Idempotency-Key`, and by their path. */
  const orders = { byKey: new Map<string, number>(), byPath: new Map<string, number>() }
  const count = (counts: Map<string, number>, of: string) => counts.set(of, (counts.get(of) ?? 0) + 1)
  const looks = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    if (request.method === 'POST') {
      count(orders.byKey, String(request.headers['idempotency-key']))
      count(orders.byPath, path)
    } else count(looks, path)
    await pause(Math.random() * slowMs)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ code: path.split('/').at(-1) }))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    orders,
    looks,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Asks for a number; looks it up with GET, orders it with POST, says what came of it, and asks again. */
const buying = (shop: string) => {
  const call = (methodType: string, path: string, top: number) =>
    plainBlock('restservice', top, {
      methodType,
      url: `${shop}/${path}/{{conversation.id}}/{{n}}`,
      resultVariable: 'order',
      errorVariable: 'fault',
      retries: 0,
    })
  return {
    format: 'parley-flow',
    version: 1,
    operators: {
      start: plainBlock('start', 0, {}),
      ask: plainBlock('prompt', 100, { varname: 'n', data: { type: 'text', text: '?' } }),
      look: call('get', 'stock', 200),
      buy: call('post', 'orders', 300),
      done: plainBlock('text', 400, { text: 'Pedido {{n}}' }),
      failed: plainBlock('text', 500, { text: 'Falhou {{n}} {{fault.code}}' }),
    },
    links: {
      a: link('start', 'ask'),
      b: link('ask', 'look'),
      c: link('look', 'buy'),
      d: link('look', 'failed', 'output_error'),
      e: link('buy', 'done'),
      f: link('buy', 'failed', 'output_error'),
      g: link('done', 'ask'),
      h: link('failed', 'ask'),
    },
  }
}

const wanted = async (answer: ReturnType<Client['post']>): Promise<string> => {
  const { status, text, body } = await answer
  if (status >= 300) throw new Error(`${status} ${text}`)
  return body.id
}

/** Makes and starts the bot; answers its web chat. */
export const makeBuyingBot = async (admin: Client, shop: string): Promise<string> => {
  const bot = await wanted(admin.post('/bot', { name: 'Buying' }))
  const task = await wanted(admin.post('/dialogtask', { name: 'Buying', bot }))
  const dialog = await wanted(admin.post('/dialog', { name: 'Buying', dialogtask: task }))
  await wanted(admin.put(`/dialog/${dialog}/flow`, buying(shop)))
  await wanted(admin.post(`/dialog/${dialog}/publish`))
  const { revision } = (await admin.get(`/dialogtask/${task}`)).body
  await wanted(admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, revision))
  const stands = (await admin.get(`/bot/${bot}`)).body.revision
  await wanted(admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, stands))
  const channel = { bot, type: 'webchat', name: 'Buying', channel_verify_token: VERIFY_TOKEN }
  const id = await wanted(admin.post('/channel', channel))
  await wanted(admin.post(`/bot/${bot}/start`))
  return id
}
