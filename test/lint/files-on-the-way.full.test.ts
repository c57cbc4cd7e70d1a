import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { startTemplateWorld, type TemplateWorld } from '#test/api/template-world.ts'
import { THREESIXTY } from '#test/doubles/whatsapp/cloud-wires.ts'
import { startProvider } from '#test/doubles/whatsapp/provider-server.ts'
import { Editor } from '#test/nodes/editor.ts'

const ROOT = `file://${join(import.meta.dirname, '../..')}/`
const SOON = { timeout: 15_000, interval: 10 }

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

/** Debugger of a process: counts the calls of each function of its main thread. */
const openCounter = async (pid: number) => {
  process.kill(pid, 'SIGUSR1')
  const address = await vi.waitFor(async () => {
    const [target] = await (await fetch('http://127.0.0.1:9229/json')).json()
    // Another process may have the port.
    expect(target.url).toContain(ROOT)
    return String(target.webSocketDebuggerUrl)
  }, SOON)
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let calls = 0
  const ask = async (method: string, params: object = {}): Promise<unknown> => {
    const id = ++calls
    const answered = new Promise<unknown>(resolve => {
      const hear = (data: Buffer) => {
        const answer = JSON.parse(data.toString())
        if (answer.id !== id) return
        socket.off('message', hear)
        resolve(answer.result)
      }
      socket.on('message', hear)
    })
    socket.send(JSON.stringify({ id, method, params }))
    return answered
  }
  await ask('Profiler.enable')
  await ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    /** Functions of the project that ran since the last call, as `<file>:<offset>`. */
    async take(): Promise<ReadonlySet<string>> {
      const { result } = (await ask('Profiler.takePreciseCoverage')) as Coverage
      return new Set(
        result
          .filter(({ url }) => url.startsWith(ROOT) && !url.includes('/node_modules/') && !url.includes('/test/'))
          .flatMap(({ url, functions }) =>
            functions
              .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
              .map(({ ranges }) => `${url.slice(ROOT.length)}:${ranges[0]?.startOffset}`),
          ),
      )
    },
    close: () => socket.close(),
  }
}

let world: TemplateWorld
let provider: Awaited<ReturnType<typeof startProvider>>
let counter: Awaited<ReturnType<typeof openCounter>>
let dialog: string
let bot: string

beforeAll(async () => {
  world = await startTemplateWorld()
  provider = await startProvider(THREESIXTY)
  ;({ bot, dialog } = await makeChatBot(world.admin))
  counter = await openCounter(world.parley.pid)
}, 120_000)
afterAll(async () => {
  counter?.close()
  await provider?.close()
  await world?.close()
})

/** Passes that are counted, after one in which modules are loaded. */
const PASSES = 6

/**
 * Files with a function that runs in every pass and belongs to the pass. Functions that run at an interval do not: a
 * busy machine stretches a pass over their intervals. They are those that run in two periods without a pass, each twice
 * as long as the longest pass.
 */
const filesOf = async (pass: (turn: number) => Promise<unknown>): Promise<readonly string[]> => {
  await pass(0)
  const passes: ReadonlySet<string>[] = []
  let longest = 1000
  for (let turn = 1; turn <= PASSES; turn++) {
    await counter.take()
    const begun = performance.now()
    await pass(turn)
    passes.push(await counter.take())
    longest = Math.max(longest, performance.now() - begun)
  }
  const rest = async () => {
    await setTimeout(2 * longest)
    return counter.take()
  }
  const atIntervals = (await rest()).intersection(await rest())
  return passes
    .map(functions => new Set([...functions.difference(atIntervals)].map(ran => ran.slice(0, ran.lastIndexOf(':')))))
    .reduce((inEach, files) => inEach.intersection(files))
    .values()
    .toArray()
    .toSorted()
}

/** Goals are 50, 100, 80 and 50. Limits leave room for work at an interval that falls into every pass. */
const check = (what: string, files: readonly string[], limit: number) => {
  process.stdout.write(`${what}: ${files.length} files\n`)
  expect(files).not.toEqual([])
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(limit)
}

test('few files take part in a PATCH, up to the read model', async () => {
  const files = await filesOf(async turn => {
    const { revision } = (await world.admin.get(`/bot/${bot}`)).body
    await counter.take()
    expect((await world.admin.patch(`/bot/${bot}`, { name: `Bia ${turn}` }, revision)).status).toBe(200)
  })
  check('PATCH of a bot', files, 57)
})

test('few files take part in a WhatsApp message and its two answers', async () => {
  const given = { bot, type: THREESIXTY.type, url: provider.url, ...THREESIXTY.fields }
  const made = await world.admin.post('/channel', given)
  expect(made.status, made.text).toBe(201)
  const token = THREESIXTY.fields.channel_verify_token
  const path = `/channel/${made.body.id}${typeof token === 'string' ? `/${token}` : ''}`
  const say = async (id: string, text: string, sent: number) => {
    expect((await provider.call(world.parley.origin, path, THREESIXTY.said('5511988880001', id, text))).status).toBe(
      200,
    )
    await vi.waitFor(() => expect(provider.sentTo('5511988880001')).toHaveLength(sent), SOON)
  }
  await say('in-first', 'oi', 1)
  const files = await filesOf(turn => say(`in-${turn}`, 'Ana', 3 + turn * 2))
  check('WhatsApp message and two answers', files, 109)
})

test('few files take part in the start of a campaign, up to its first message', async () => {
  await world.admin.post(`/metaaccount/${world.account}/subscribe`, {})
  await world.admin.post(`/metaaccount/${world.account}/test`, {})
  world.graph.nextStatus = 'APPROVED'
  const template = await world.draft({ category: 'utility', buttons: [] })
  await world.submitted(template)
  const files = await filesOf(async turn => {
    const mapping = ['1', '2'].map(variable => ({ variable, source: 'nome' }))
    const fields = { name: `aviso_${turn}`, template, metaaccount: world.account, warmup: false, mapping }
    const campaign = await world.made('/campaign', fields)
    await world.made('/contact', { campaign, phone: `+55119876500${turn}0`, nome: 'Luana' })
    const sent = world.graph.accepted.length
    await counter.take()
    const { revision } = (await world.admin.get(`/campaign/${campaign}`)).body
    const started = await world.admin.post(`/campaign/${campaign}/start`, {}, { 'if-match': `"${revision}"` })
    expect(started.status, started.text).toBeLessThan(300)
    await vi.waitFor(() => expect(world.graph.accepted.length).toBe(sent + 1), SOON)
  })
  check('start of a campaign to its first message', files, 88)
})

test('few files take part in an edit of a drawing, up to the screen of another person', async () => {
  const [ana, eva] = [new Editor(), new Editor()]
  await ana.join(world.parley, world.admin, dialog)
  await eva.join(world.parley, world.admin, dialog)
  const files = await filesOf(async turn => {
    ana.draw(`b${turn}`)
    await eva.sees(`b${turn}`)
  })
  ana.end()
  eva.end()
  check('edit of a drawing', files, 30)
})
