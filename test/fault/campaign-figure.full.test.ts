import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startGraphServer } from '#test/doubles/meta/graph-server.ts'
import { randomOf } from '#test/realtime/random.ts'
import { report, SEED, sizeOf } from './size.ts'

const PEOPLE = sizeOf('FIGURE_PEOPLE', { short: 5000, full: 100_000 })
const KILLS = sizeOf('FIGURE_KILLS', { short: 5, full: 50 })
const RUN = '00000000-0000-8000-a000-000000000001'
const TIMEOUT_MS = 3_600_000
/** Receipts of one call of the provider. */
const TOGETHER = 100
const LOOK_MS = 50

/** Receipts that the provider sends until a node has stored them: `hook` calls a node, and says whether it answered. */
class Hook {
  readonly #taken: readonly Record<string, unknown>[]
  #stored = 0

  constructor(taken: readonly Record<string, unknown>[]) {
    this.#taken = taken
  }

  get left(): number {
    return this.#taken.length - this.#stored
  }

  next(): { readonly line: string; stored(): void } | undefined {
    const some = this.#taken.slice(this.#stored, this.#stored + TOGETHER)
    if (some.length === 0) return undefined
    const statuses = some.map(({ to, biz_opaque_callback_data: callback }) => [`wamid.${String(to)}`, callback])
    return {
      line: `${JSON.stringify(statuses)}\n`,
      stored: () => {
        this.#stored += some.length
      },
    }
  }
}

test(
  `${PEOPLE} people get a message once at 500 a second or more, with ${KILLS} kills meanwhile; receipts settle all that the provider took`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-campaign-figure-'))
    const graph = await startGraphServer()
    const random = randomOf(SEED)
    const hook = new Hook(graph.accepted)
    /** Messages of a life without its kill. The last life has a tenth of the people at least. */
    const share = (0.9 * PEOPLE) / KILLS
    let kills = 0
    let [sendingMs, status, end] = [0, 'planned', '']
    const begun = performance.now()
    while (end === '') {
      const script = join(import.meta.dirname, 'campaign-node.ts')
      const child = spawn(process.execPath, [script, graph.url, folder, String(PEOPLE), RUN, status, '', 'hook'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      status = 'running'
      let told = ''
      let answered = 0
      child.stdin.on('error', () => undefined)
      child.stdout.on('data', data => {
        told += String(data)
        answered = told.split('stored\n').length - 1
      })
      const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
      let isGone = false
      void gone.then(() => {
        isGone = true
      })
      const sending = async () => {
        let calls = 0
        while (!isGone) {
          const call = told.includes('sending') ? hook.next() : undefined
          if (call === undefined) {
            if (told.includes('ended')) child.stdin.end()
            await pause(LOOK_MS)
            continue
          }
          calls += 1
          child.stdin.write(call.line)
          while (answered < calls && !isGone) await pause(1)
          if (answered >= calls) call.stored()
        }
      }
      const hooking = sending()
      const before = graph.accepted.length
      while (graph.accepted.length === before && !isGone) await pause(5)
      const first = performance.now()
      if (kills < KILLS) {
        const last = (kills + random(1000) / 1000) * share
        while (graph.accepted.length < last && !isGone) await pause(1)
        if (!isGone) {
          kills += 1
          child.kill('SIGKILL')
        }
      } else while (!told.includes('ended') && !isGone) await pause(LOOK_MS)
      sendingMs += performance.now() - first
      await gone
      await hooking
      if (child.exitCode !== null) end = told.split('\n').at(-2) ?? 'nothing'
    }
    const seconds = (performance.now() - begun) / 1000
    const bodies = graph.accepted.map(({ biz_opaque_callback_data: data }) => String(data))
    const numbers = graph.accepted.map(({ to }) => String(to))
    await graph.close()
    rmSync(folder, { recursive: true, force: true })
    const figures = JSON.parse(end.slice(end.indexOf(' ')))
    const rate = Math.round((numbers.length / sendingMs) * 1000)
    report('campaign', {
      ...{ people: PEOPLE, kills, taken: numbers.length, unknown: figures.unknown },
      ...{ rate, seconds: Math.round(seconds) },
    })
    expect([kills, hook.left]).toEqual([KILLS, 0])
    expect([new Set(bodies).size, new Set(numbers).size]).toEqual([bodies.length, numbers.length])
    // Receipts settle each message that the provider took.
    expect(figures).toMatchObject({ total: PEOPLE, delivered: numbers.length, unknown: PEOPLE - numbers.length })
  },
  TIMEOUT_MS,
)
