import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, startParley } from '#test/api/harness.ts'
import { randomOf } from '#test/realtime/random.ts'
import { report, SEED, sizeOf } from './size.ts'

const KILLS = sizeOf('EVENT_KILLS', { short: 20, full: 500 })
const TIMEOUT_MS = 60_000 * KILLS
const FILTER = 'type=entity.created&entity=bot'

const random = randomOf(SEED)
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-event-kill-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program that keeps each page together with its cursor. */
class EventProgram {
  readonly events: string[] = []
  readonly bots: string[] = []
  /** Statuses of answers that are no page. */
  readonly refusals: number[] = []
  #cursor: string

  constructor(cursor: string) {
    this.#cursor = cursor
  }

  /** Reads one page. True: there is nothing more. */
  async read(client: Client, limit: number, wait: number): Promise<boolean> {
    const { status, body } = await client.get(`/event?${FILTER}&after=${this.#cursor}&limit=${limit}&wait=${wait}`)
    if (status !== 200) {
      this.refusals.push(status)
      return true
    }
    const page = body as unknown as {
      readonly items: readonly { readonly id: string; readonly data: { readonly id: string } }[]
      readonly next: string
      readonly caughtup: boolean
    }
    this.#cursor = page.next
    for (const { id, data } of page.items) {
      this.events.push(id)
      this.bots.push(data.id)
    }
    return page.caughtup && page.items.length === 0
  }
}

/** Repeats an act until the gateway is killed. */
const untilKilled = async (act: () => Promise<unknown>): Promise<void> => {
  try {
    for (;;) await act()
  } catch {
    // The connection was cut.
  }
}

test(
  'a program that reads events by cursor gets each of them once while its gateway is killed [P-2736]',
  async () => {
    const written: string[] = []
    let program: EventProgram | undefined
    for (let kill = 0; kill < KILLS; kill++) {
      const parley = await startParley({ folder })
      const client = await parley.signIn()
      program ??= new EventProgram(String((await client.get('/event')).body.next))
      const reader = program
      const isKilled = pause(200 + random(1_500)).then(() => parley.end('SIGKILL'))
      await Promise.all([
        untilKilled(async () => {
          const { status, body } = await client.post('/bot', { name: `Bot ${kill} ${written.length}` })
          if (status === 201) written.push(body.id)
        }),
        untilKilled(() => reader.read(client, 1 + random(4), random(2))),
        isKilled,
      ])
    }
    const parley = await startParley({ folder })
    try {
      const client = await parley.signIn()
      while ((await program?.read(client, 1_000, 0)) === false);
    } finally {
      await parley.end('SIGTERM')
    }
    const { events = [], bots = [], refusals } = program ?? {}
    report('events by cursor', { kills: KILLS, written: written.length, received: bots.length })
    expect(refusals).toEqual([])
    expect(written.length).toBeGreaterThan(KILLS)
    expect(new Set(events).size).toBe(events.length)
    expect(written.filter(id => !bots.includes(id))).toEqual([])
  },
  TIMEOUT_MS,
)
