import { setTimeout as pause } from 'node:timers/promises'
import { type Client, discard, startParley } from '../api/harness.ts'
import { level } from '../api/people.ts'
import { type Figure, isShort, median, type QuickFigure, quantile, rounded } from './figure.ts'
import { processorTime } from './processor-time.ts'

const RATE = 500
const SECONDS = isShort ? 6 : 10
const WARM = 200

/** Half of them in each of two levels, which have at most 50. None of the commands is an event for them. */
const addWebhooks = async (client: Client, count: number): Promise<void> => {
  const levels = [await level(client, 'Norte'), await level(client, 'Sul')]
  for (let n = 0; n < count; n++) {
    const [hierarchylevel = ''] = levels.slice(n % levels.length)
    const address = { url: 'https://example.com/hook', types: ['bot.started'], hierarchylevel }
    await client.create('webhook', { name: `w${n}`, ...address })
  }
}

interface LoadOptions {
  readonly webhooks?: number
  /** Commands a second. */
  readonly rate?: number
  readonly seconds?: number
  readonly env?: Readonly<Record<string, string>>
}

export interface CommandLoad {
  readonly count: number
  /** ms until each answer, from the moment at which its command was due. */
  readonly times: readonly number[]
  /** Processor time of the gateway for a command, ms. */
  readonly work: number
  /** Every command was accepted, and is in its list. */
  readonly isWhole: boolean
}

/** An open loop of creates; an answer means that it is durable and shown in its list. */
export const loadWithCommands = async (options: LoadOptions = {}): Promise<CommandLoad> => {
  const { webhooks = 0, rate = RATE, seconds = SECONDS, env = {} } = options
  const count = rate * seconds
  const parley = await startParley({ env: { PARLEY_SAMPLE: 'off', LOG_LEVEL: 'warn', ...env } })
  try {
    const client = await parley.signIn()
    await addWebhooks(client, webhooks)
    for (let n = 0; n < WARM; n++) await client.post('/codesample', { name: `warm ${n}` })
    const times: number[] = []
    const running: Promise<void>[] = []
    const worked = processorTime(parley.pid)
    const started = performance.now()
    let failed = 0
    for (let n = 0; n < count; n++) {
      const due = started + (n * 1000) / rate
      const wait = due - performance.now()
      if (wait > 1) await pause(wait)
      running.push(
        client.post('/codesample', { name: `sample ${n}`, description: 'bench' }).then(answer => {
          times.push(performance.now() - due)
          if (answer.status !== 201) failed++
        }),
      )
    }
    await Promise.all(running)
    const work = (processorTime(parley.pid) - worked) / count
    const { body } = await client.get('/codesample?size=1')
    return { count, times, work, isWhole: failed === 0 && body.total === count + WARM }
  } finally {
    await discard(parley)
  }
}

/** P2. */
export const commands = async (): Promise<Figure> => {
  const { times, work, isWhole } = await loadWithCommands()
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map(q => rounded(quantile(times, q))) as [number, number, number]
  return {
    id: 'P2',
    what: `command over HTTP, durable and in its list, at ${RATE}/s: p50, p99; processor time of one`,
    measured: `${p50} ms, ${p99} ms; ${rounded(work, 2)} ms`,
    target: '≤ 1.5 ms, ≤ 15 ms',
    met: p50 <= 1.5 && p99 <= 15 && isWhole,
    detail: { p50, p95, p99, work: rounded(work, 3) },
  }
}

const WEBHOOKS = 100
const PAIRS = 3
const MAX_SHARE = 0.05

/** P17: the same beside 100 webhooks without news, in turns with none. */
export const commandsBesideWebhooks = async (): Promise<Figure> => {
  const without: CommandLoad[] = []
  const beside: CommandLoad[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    without.push(await loadWithCommands())
    beside.push(await loadWithCommands({ webhooks: WEBHOOKS }))
  }
  const p50 = (loads: readonly CommandLoad[]) => median(loads.map(({ times }) => quantile(times, 0.5)))
  const work = (loads: readonly CommandLoad[]) => median(loads.map(load => load.work))
  const share = (of: (loads: readonly CommandLoad[]) => number) => of(beside) / of(without) - 1
  const percent = (part: number) => `${rounded(part * 100)} %`
  return {
    id: 'P17',
    what: `${WEBHOOKS} webhooks: more time of a command at ${RATE}/s, p50 and processor`,
    measured: `${percent(share(p50))} (${rounded(p50(beside))} ms) and ${percent(share(work))}`,
    target: '≤ 5 %',
    met: share(p50) <= MAX_SHARE && [...without, ...beside].every(({ isWhole }) => isWhole),
    detail: { p50: share(p50), work: share(work), p50Without: p50(without), workWithout: work(without) },
  }
}

/** P2 in a few seconds. */
export const quickCommands = async (): Promise<readonly QuickFigure[]> => {
  const { times, work, isWhole } = await loadWithCommands({ seconds: 6 })
  if (!isWhole) throw new Error('a command failed')
  return [
    { what: 'processor time of a command, ms', value: work },
    { what: `command at ${RATE}/s, p50, ms`, value: quantile(times, 0.5) },
    { what: `command at ${RATE}/s, p99, ms`, value: quantile(times, 0.99) },
  ]
}
