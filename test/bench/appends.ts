import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { INSERT_EVENT, TABLES } from '#commands/store/embedded/event-file.ts'
import { type Figure, median, type QuickFigure, ROUNDS, rounded } from './figure.ts'
import { costOf } from './processor-time.ts'
import { hasRivals, loadRival } from './rival.ts'
import { eventOf, type Throughput, throughStore, WRITERS } from './through-store.ts'

const EACH = 150
/** Fewer of the same, for it takes long. */
const EMMETT_EACH = 5

/** The same rows into the same tables by one bare loop, 64 to a transaction, as durable. */
const bareLoop = async (): Promise<Throughput> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const db = new DatabaseSync(join(folder, 'bare.sqlite'))
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL')
  for (const table of TABLES) db.exec(table)
  const insert = db.prepare(INSERT_EVENT)
  let position = 0
  const { seconds, cpu } = await costOf(() => {
    for (let n = 0; n < EACH; n++) {
      db.exec('BEGIN IMMEDIATE')
      for (let writer = 0; writer < WRITERS; writer++) {
        const event = eventOf(n)
        const { id, type, version, time, actor, correlation, causation, level, hash } = event
        const row = [id, type, version, time, actor, correlation, causation, level, hash, JSON.stringify(event.data)]
        insert.run(++position, `bench-${writer}`, n + 1, ...row)
      }
      db.exec('COMMIT')
    }
  })
  db.close()
  rmSync(folder, { recursive: true })
  return { perSecond: (WRITERS * EACH) / seconds, cpu: (cpu / (WRITERS * EACH)) * 1000 }
}

interface Emmett {
  readonly sqliteConnection: (options: { fileName: string }) => { close(): void }
  readonly createEventStoreSchema: (connection: object) => Promise<unknown>
  readonly appendToStream: (
    connection: object,
    stream: string,
    type: string,
    events: readonly object[],
    options: { expectedStreamVersion: bigint },
  ) => Promise<{ success: boolean }>
}

const loadEmmett = (): Emmett | undefined => {
  try {
    return hasRivals() ? loadRival<Emmett>('@event-driven-io/emmett-sqlite') : undefined
  } catch {
    return undefined
  }
}

/** The same events through Emmett's append on one open connection, one by one: it takes no two at the same time. */
const throughEmmett = async ({ sqliteConnection, createEventStoreSchema, appendToStream }: Emmett): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const connection = sqliteConnection({ fileName: join(folder, 'emmett.sqlite') })
  await createEventStoreSchema(connection)
  const started = performance.now()
  for (let n = 0; n < EMMETT_EACH; n++)
    for (let writer = 0; writer < WRITERS; writer++) {
      const { type, data } = eventOf(n)
      const event = { type, data, metadata: {} }
      const options = { expectedStreamVersion: BigInt(n) }
      const { success } = await appendToStream(connection, `bench-${writer}`, 'bench', [event], options)
      if (!success) throw new Error('Emmett refused an append')
    }
  const seconds = (performance.now() - started) / 1000
  connection.close()
  rmSync(folder, { recursive: true })
  return (WRITERS * EMMETT_EACH) / seconds
}

/** P1. */
export const appends = async (): Promise<readonly Figure[]> => {
  const emmett = loadEmmett()
  const emmetts: number[] = []
  const ratios: number[] = []
  const stores: number[] = []
  const loops: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { perSecond: store } = await throughStore(EACH)
    const { perSecond: loop } = await bareLoop()
    stores.push(store)
    loops.push(loop)
    ratios.push(store / loop)
    if (emmett !== undefined) emmetts.push(store / (await throughEmmett(emmett)))
  }
  const ratio = median(ratios)
  const bare: Figure = {
    id: 'P1',
    what: `durable appends, ${WRITERS} writers, of a bare loop at 64 to a transaction`,
    measured: `${rounded(ratio, 2)} (${Math.round(median(stores))}/s of ${Math.round(median(loops))}/s)`,
    target: '≥ 0.8',
    met: ratio >= 0.8,
    detail: {
      ratio: rounded(ratio, 3),
      storePerSecond: Math.round(median(stores)),
      loopPerSecond: Math.round(median(loops)),
    },
  }
  return [bare, besideEmmett(emmetts)]
}

const besideEmmett = (ratios: readonly number[]): Figure => {
  const times = median(ratios)
  return {
    id: 'P1',
    what: 'the same appends beside @event-driven-io/emmett-sqlite',
    measured: ratios.length === 0 ? 'could not be installed here' : `${rounded(times)}×`,
    target: '≥ 20×',
    met: times >= 20,
    detail: ratios.length === 0 ? {} : { times: rounded(times, 2) },
  }
}

const QUICK_ROUNDS = 5

/** P1 in a few seconds. */
export const quickAppends = async (): Promise<readonly QuickFigure[]> => {
  const emmett = loadEmmett()
  const rounds: { store: Throughput; loop: Throughput }[] = []
  for (let round = 0; round < QUICK_ROUNDS; round++)
    rounds.push({ store: await throughStore(EACH), loop: await bareLoop() })
  const store = median(rounds.map(({ store }) => store.perSecond))
  return [
    { what: 'appends/s, of a bare loop', value: median(rounds.map(r => r.store.perSecond / r.loop.perSecond)) },
    { what: 'processor time of an append, of a bare loop', value: median(rounds.map(r => r.store.cpu / r.loop.cpu)) },
    ...(emmett === undefined
      ? []
      : [{ what: 'appends/s, of emmett-sqlite', value: store / (await throughEmmett(emmett)) }]),
  ]
}
