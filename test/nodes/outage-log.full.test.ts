import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { report, sizeOf } from '#test/fault/size.ts'
import { ConversationLedger } from './conversation-ledger.ts'
import { startStoreWorld } from './store-world.ts'
import { insist, PROTOCOLS, Talker, userOf } from './talker.ts'

/** People on each protocol. */
const PEOPLE = sizeOf('OUTAGE_PEOPLE', { short: 20, full: 60 })
const AWAY_MS = 10_000
/** Of each gateway: causes differ by the call that met the outage. */
const MAX_LINES = 40
const SETTLED = { timeout: 120_000, interval: 200 }

/** Ids and numbers tell lines apart that have one cause. */
const causeOf = (line: string): string => {
  const { level, msg, err } = JSON.parse(line) as { level: number; msg?: string; err?: { type: string } }
  return `${level} ${err?.type ?? ''} ${(msg ?? '').replace(/[\da-f-]{8,}|\d+/gu, '0')}`
}

test('logs one line for each cause while the store is away for 10 s with many conversations [P-1564]', async () => {
  const world = await startStoreWorld()
  const ledger = await ConversationLedger.open(world.store.url)
  try {
    const origin = () => world.gateways[Math.floor(Math.random() * 3)]?.origin ?? ''
    const people = PROTOCOLS.flatMap(protocol =>
      Array.from({ length: PEOPLE }, (_, place) => new Talker(world, protocol, userOf(protocol, place))),
    )
    const accepted: string[] = []
    const say = async (talker: Talker) => {
      const id = randomUUID()
      await insist(origin, at => talker.send(at, id, 'oi'))
      accepted.push(talker.storedId(id))
    }
    await Promise.all(people.map(talker => talker.begin(origin)))
    await Promise.all(people.map(say))
    const before = world.gateways.map(({ errors }) => errors.length)
    // Given turns and deliveries that meet the outage
    const saying = Promise.all(people.map(say))
    await pause(300)
    await world.store.kill()
    await pause(AWAY_MS)
    await world.store.start()
    await saying
    await vi.waitFor(async () => {
      await ledger.read()
      expect(accepted.filter(id => !ledger.isAnswered(id))).toEqual([])
    }, SETTLED)
    const logs = world.gateways.map(({ errors }, place) =>
      errors.slice(before[place]).filter(line => line.startsWith('{')),
    )
    report('log of an outage', {
      conversations: people.length,
      lines: logs.map(lines => lines.length).join('/'),
      'causes at one gateway': new Set(logs[0]?.map(causeOf)).size,
    })
    for (const lines of logs) {
      const causes = lines.map(causeOf)
      expect(causes.filter((cause, place) => causes.indexOf(cause) !== place)).toEqual([])
      expect(lines.length).toBeGreaterThan(0)
      expect(lines.length).toBeLessThan(MAX_LINES)
    }
  } finally {
    await ledger.close()
    await world.close()
  }
}, 600_000)
