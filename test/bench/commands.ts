import { setTimeout as pause } from 'node:timers/promises'
import { discard, startParley } from '../api/harness.ts'
import { type Figure, quantile, rounded } from './figure.ts'

const RATE = 500
const SECONDS = 10

/** P2: an open loop of creates at 500/s; an answer means that it is durable and shown in its list. */
export const commands = async (): Promise<Figure> => {
  const parley = await startParley({ env: { PARLEY_SAMPLE: 'off', LOG_LEVEL: 'warn' } })
  try {
    const client = await parley.signIn()
    for (let n = 0; n < 200; n++) await client.post('/codesample', { name: `warm ${n}` })
    const times: number[] = []
    const running: Promise<void>[] = []
    const started = performance.now()
    let failed = 0
    for (let n = 0; n < RATE * SECONDS; n++) {
      const due = started + (n * 1000) / RATE
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
    const { body } = await client.get('/codesample?size=1')
    const p99 = quantile(times, 0.99)
    return {
      id: 'P2',
      what: `command over HTTP, durable and in its list, at ${RATE}/s: p99`,
      measured: `${rounded(p99)} ms (p50 ${rounded(quantile(times, 0.5))} ms)`,
      target: '≤ 25 ms',
      met: p99 <= 25 && failed === 0 && body.total === RATE * SECONDS + 200,
      detail: { p50: rounded(quantile(times, 0.5)), p95: rounded(quantile(times, 0.95)), p99: rounded(p99), failed },
    }
  } finally {
    await discard(parley)
  }
}
