import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startGraphServer } from '#test/doubles/meta/graph-server.ts'
import { startTemplateProvider } from '#test/doubles/whatsapp/template-server.ts'
import { TEMPLATE_WIRES } from '#test/doubles/whatsapp/template-wires.ts'
import { isFull } from '#test/fixture/full.ts'
import { randomOf } from '#test/realtime/random.ts'
import { report, SEED, sizeOf, TIMEOUT_MS } from './size.ts'

const KILLS = sizeOf('CAMPAIGN_KILLS', { short: isFull ? 10 : 3, full: 1000 })
/** Each other provider is killed less often in a short run. */
const PROVIDER_KILLS = sizeOf('PROVIDER_KILLS', { short: isFull ? 5 : 1, full: 1000 })
const RUN = '00000000-0000-8000-a000-000000000001'
/** A node lives for up to that long after the last message that it may send. */
const LIFE_MS = 10

const random = randomOf(SEED)
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-campaign-kill-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Enough that some are left after all kills. */
const PEOPLE = KILLS * 400
/** A channel of a provider sends at most 64 messages a second. */
const PROVIDER_PEOPLE = Math.max(200, PROVIDER_KILLS * 60)

interface Killed {
  readonly url: string
  readonly provider?: string
  readonly people: number
  readonly kills: number
  /** Number of requests that the provider got. */
  requests(): number
}

/** A node with its output. */
const startNode = ({ url, people, provider = '' }: Killed, status: string) => {
  const script = join(import.meta.dirname, 'campaign-node.ts')
  const child = spawn(process.execPath, [script, url, folder, String(people), RUN, status, provider], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const told: string[] = []
  const sending = Promise.withResolvers<void>()
  child.stdout.on('data', data => {
    told.push(String(data))
    if (told.join('').includes('sending')) sending.resolve()
  })
  return { child, told, sending: sending.promise, gone: goneOf(child) }
}

const goneOf = (child: ChildProcess) => new Promise<void>(resolve => child.once('exit', () => resolve()))

/** Kills nodes while they send, until the run has ended. Returns its state and figures. */
const sendWithKills = async (given: Killed) => {
  let kills = 0
  let end = ''
  while (end === '') {
    const node = startNode(given, kills === 0 ? 'planned' : 'running')
    await Promise.race([node.sending, node.gone])
    if (kills < given.kills) {
      // Counted in messages: a slow machine must not use up the people before the last kill.
      const last = given.requests() + 1 + random(given.people / given.kills / 2)
      const isSending = async () => {
        while (given.requests() < last) await pause(1)
        await pause(random(LIFE_MS))
      }
      await Promise.race([isSending(), node.gone])
    }
    if (kills < given.kills && node.child.exitCode === null) {
      kills += 1
      node.child.kill('SIGKILL')
    }
    await node.gone
    if (node.child.exitCode !== null) end = node.told.join('').split('\n').at(-2) ?? 'nothing'
  }
  return { kills, status: end.split(' ')[0], figures: JSON.parse(end.slice(end.indexOf(' '))) }
}

/** No number and no attempt twice; every claim ends accepted or unknown. */
const expectOnce = (
  { status, figures, kills }: Awaited<ReturnType<typeof sendWithKills>>,
  { people, expected }: { readonly people: number; readonly expected: number },
  taken: { readonly numbers: readonly string[]; readonly attempts: readonly string[] },
) => {
  const { numbers, attempts } = taken
  expect(kills).toBe(expected)
  expect([new Set(attempts).size, new Set(numbers).size]).toEqual([attempts.length, numbers.length])
  expect(status).toBe('completed')
  // Nothing is pending, and accepted messages are never reported as failed or queued.
  expect(figures).toMatchObject({ total: people, failed: 0, skipped: 0 })
  expect(figures.accepted + figures.unknown).toBe(people)
  expect(numbers.length).toBeGreaterThanOrEqual(figures.accepted)
}

test(
  `a node killed while it sends (${KILLS} times): no attempt and no recipient goes out twice, each claim ends accepted, refused or unknown [P-1314]`,
  async () => {
    const graph = await startGraphServer()
    const people = PEOPLE
    const ended = await sendWithKills({ url: graph.url, people, kills: KILLS, requests: () => graph.calls.length })
    const attempts = graph.accepted.map(({ biz_opaque_callback_data: data }) => String(data))
    const numbers = graph.accepted.map(({ to }) => String(to))
    await graph.close()
    expectOnce(ended, { people, expected: KILLS }, { numbers, attempts })
    const { kills, figures } = ended
    report('campaign-kill', { kills, people, accepted: numbers.length, unknown: figures.unknown })
  },
  TIMEOUT_MS,
)

/** The short form tries one provider; the bodies of calls to the others differ. */
const KILLED_WIRES = isFull ? TEMPLATE_WIRES : TEMPLATE_WIRES.slice(0, 1)

test.each(KILLED_WIRES)(
  `a node killed while it sends through $type (${PROVIDER_KILLS} times) sends to nobody twice [P-2504]`,
  async wire => {
    const double = await startTemplateProvider(wire)
    const people = PROVIDER_PEOPLE
    const requests = () => double.taken.length
    const ended = await sendWithKills({ url: double.url, provider: wire.type, people, kills: PROVIDER_KILLS, requests })
    double.close()
    const numbers = double.taken.map(({ request }) => wire.to(request))
    // A provider that returns no key tells messages apart by their numbers alone.
    const attempts = double.taken.map(({ request }) => wire.key(request)).filter(key => key !== '')
    expectOnce(ended, { people, expected: PROVIDER_KILLS }, { numbers, attempts })
    const { kills, figures } = ended
    report('provider-kill', { provider: wire.type, kills, people, accepted: numbers.length, unknown: figures.unknown })
  },
  TIMEOUT_MS,
)
