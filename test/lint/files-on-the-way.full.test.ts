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
vi.setConfig({ testTimeout: 300_000 })

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
  /** Functions of the project that ran since the last call, as `<file>:<offset>`. */
  const take = async (): Promise<ReadonlySet<string>> => {
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
  }
  return {
    take,
    /** The same, once `quietMs` pass in which no further function runs: all that followed is in it, on any machine. */
    async settle(quietMs: number): Promise<ReadonlySet<string>> {
      let ran = await take()
      for (;;) {
        await setTimeout(quietMs)
        const more = ran.union(await take())
        if (more.size === ran.size) return ran
        ran = more
      }
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

/**
 * Followers of a log: they react to the events of a pass and are no step of its way. Whether they run before its end
 * differs between machines.
 */
const FOLLOWERS = [
  ...[
    'commands/integrity/',
    'gateway/realtime/notifier.ts',
    'runtime/alert/',
    'runtime/campaign/run/campaign-notices.ts',
  ],
  ...['runtime/mail/', 'runtime/metrics/', 'runtime/service/', 'runtime/webhook/'],
]
const RELEASES = ['commands/release/', 'runtime/release/', 'schemas/events/release.ts']
const CONVERSATIONS = ['runtime/conversation/compose-conversations.ts']
const FIGURES = ['domain/desk/figures/', 'domain/metrics/', 'runtime/agent/desk/', 'runtime/campaign/run/']

/** Passes that are counted, after one in which modules are loaded. */
const PASSES = 6
/** Longer than any delay with which the gateway continues a pass: a campaign looks for more recipients after 250 ms. */
const QUIET_MS = 500

interface Pass {
  /** Resolves at the end of the way. */
  run(): Promise<unknown>
  /** Lets what waits at the end of the way continue, uncounted. */
  readonly release?: () => void
}

/**
 * Files with a function that runs in every pass and belongs to the pass, from a quiet gateway until it is quiet again:
 * what still runs at the end of the way would be counted in the next pass of a slow machine. Functions that run at an
 * interval do not belong: a busy machine stretches a pass over their intervals. They are those that run in two periods
 * without a pass, each twice as long as the longest pass.
 */
const filesOf = async (prepare: (turn: number) => Promise<Pass>): Promise<readonly string[]> => {
  const passes: ReadonlySet<string>[] = []
  let longest = 1000
  for (let turn = 0; turn <= PASSES; turn++) {
    const { run, release } = await prepare(turn)
    await counter.settle(QUIET_MS)
    const begun = performance.now()
    await run()
    const ran = await counter.settle(Math.max(QUIET_MS, performance.now() - begun))
    release?.()
    if (turn === 0) continue
    passes.push(ran)
    longest = Math.max(longest, performance.now() - begun)
  }
  await counter.settle(QUIET_MS)
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

/** Goals are 50, 100, 80 and 50. `others`: followers beside `FOLLOWERS`, each of which is a step of another way. */
const check = (what: string, ran: readonly string[], limit: number, others: readonly string[]) => {
  const files = ran.filter(file => ![...FOLLOWERS, ...others].some(follower => file.startsWith(follower)))
  process.stdout.write(`${what}: ${files.length} files\n`)
  expect(files).not.toEqual([])
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(limit)
}

test('few files take part in a PATCH, up to the read model', async () => {
  const files = await filesOf(async turn => {
    const { revision } = (await world.admin.get(`/bot/${bot}`)).body
    const run = async () =>
      expect((await world.admin.patch(`/bot/${bot}`, { name: `Bia ${turn}` }, revision)).status).toBe(200)
    return { run }
  })
  check('PATCH of a bot', files, 52, [...RELEASES, ...CONVERSATIONS, 'realtime/rooms.ts', 'runtime/log/'])
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
  const files = await filesOf(async turn => ({ run: () => say(`in-${turn}`, 'Ana', 3 + turn * 2) }))
  check('WhatsApp message and two answers', files, 102, FIGURES)
})

test('few files take part in the start of a campaign, up to its first message', async () => {
  await world.admin.post(`/metaaccount/${world.account}/subscribe`, {})
  await world.admin.post(`/metaaccount/${world.account}/test`, {})
  world.graph.nextStatus = 'APPROVED'
  const template = await world.draft({ category: 'utility', buttons: [] })
  await world.submitted(template)
  const messages = () => world.graph.calls.filter(({ path }) => path.endsWith('/messages'))
  const files = await filesOf(async turn => {
    const mapping = ['1', '2'].map(variable => ({ variable, source: 'nome' }))
    const fields = { name: `aviso_${turn}`, template, metaaccount: world.account, warmup: false, mapping }
    const campaign = await world.made('/campaign', fields)
    await world.made('/contact', { campaign, phone: `+55119876500${turn}0`, nome: 'Luana' })
    const { revision } = (await world.admin.get(`/campaign/${campaign}`)).body
    const sent = messages().length
    const answer = Promise.withResolvers<void>()
    world.graph.gate = answer.promise
    const run = async () => {
      const started = await world.admin.post(`/campaign/${campaign}/start`, {}, { 'if-match': `"${revision}"` })
      expect(started.status, started.text).toBeLessThan(300)
      await vi.waitFor(() => expect(messages()).toHaveLength(sent + 1), SOON)
    }
    return { run, release: answer.resolve }
  })
  check('start of a campaign to its first message', files, 80, [...RELEASES, ...CONVERSATIONS, 'realtime/rooms.ts'])
})

test('few files take part in an edit of a drawing, up to the screen of another person', async () => {
  const [ana, eva] = [new Editor(), new Editor()]
  await ana.join(world.parley, world.admin, dialog)
  await eva.join(world.parley, world.admin, dialog)
  const files = await filesOf(async turn => ({
    async run() {
      ana.draw(`b${turn}`)
      await eva.sees(`b${turn}`)
    },
  }))
  ana.end()
  eva.end()
  check('edit of a drawing', files, 50, [...RELEASES, ...CONVERSATIONS])
})
