import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GraphServer, startGraphServer } from '#test/doubles/meta/graph-server.ts'
import { isFull } from '#test/fixture/full.ts'
import { randomOf } from '#test/realtime/random.ts'
import { report, SEED, sizeOf, TIMEOUT_MS } from './size.ts'

const KILLS = sizeOf('CAMPAIGN_KILLS', { short: isFull ? 10 : 5, full: 1000 })
/** Enough that some are left after all kills. */
const PEOPLE = Math.max(isFull ? 2000 : 1000, KILLS * 60)
const RUN = '00000000-0000-8000-a000-000000000001'
/** A node lives for up to that long after its first message. */
const LIFE_MS = 300

const random = randomOf(SEED)
let graph: GraphServer
let folder: string
beforeAll(async () => {
  graph = await startGraphServer()
  folder = mkdtempSync(join(tmpdir(), 'parley-campaign-kill-'))
})
afterAll(async () => {
  await graph.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A node with its output. */
const startNode = (status: string) => {
  const script = join(import.meta.dirname, 'campaign-node.ts')
  const child = spawn(process.execPath, [script, graph.url, folder, String(PEOPLE), RUN, status], {
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

test(
  `a node killed while it sends (${KILLS} times): no attempt and no recipient goes out twice, each claim ends accepted, refused or unknown [P-1314]`,
  async () => {
    let kills = 0
    let end = ''
    while (end === '') {
      const node = startNode(kills === 0 ? 'planned' : 'running')
      await Promise.race([node.sending, node.gone])
      if (kills < KILLS) {
        const before = graph.calls.length
        const isSending = async () => {
          while (graph.calls.length === before) await pause(5)
          await pause(random(LIFE_MS))
        }
        await Promise.race([isSending(), node.gone])
      }
      if (kills < KILLS && node.child.exitCode === null) {
        kills += 1
        node.child.kill('SIGKILL')
      }
      await node.gone
      if (node.child.exitCode !== null) end = node.told.join('').split('\n').at(-2) ?? 'nothing'
    }
    const attempts = graph.accepted.map(({ biz_opaque_callback_data: data }) => String(data))
    const numbers = graph.accepted.map(({ to }) => String(to))
    expect([new Set(attempts).size, new Set(numbers).size]).toEqual([attempts.length, numbers.length])
    const [status, figures] = [end.split(' ')[0], JSON.parse(end.slice(end.indexOf(' ')))]
    expect(status).toBe('completed')
    // Nothing is pending, and messages accepted by Meta are never reported as failed or queued.
    expect(figures).toMatchObject({ total: PEOPLE, failed: 0, skipped: 0 })
    expect(figures.accepted + figures.unknown).toBe(PEOPLE)
    expect(graph.accepted.length).toBeGreaterThanOrEqual(figures.accepted)
    report('campaign-kill', { kills, people: PEOPLE, accepted: graph.accepted.length, unknown: figures.unknown })
  },
  TIMEOUT_MS,
)
