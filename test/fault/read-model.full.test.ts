import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import { upcast } from '#commands/upcasters/upcast.ts'
import type { NodeReadModels } from '#projections/node-read-models.ts'
import { openReadModels } from '#projections/open-read-models.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { string } from '#schemas/field/field.ts'
import { discard, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { MixedLog } from '#test/bench/mixed-log.ts'
import { wholeSample } from '#test/fixture/whole-sample.ts'
import { rowsOf } from './read-model-rows.ts'
import { report, sizeOf, TIMEOUT_MS } from './size.ts'

const EVENTS = sizeOf('R9', { short: 4000, full: 200_000 })
/** Appended at a time while the read models follow. */
const BATCH_SIZE = 50
/** Of all events, what is written while the new shape is being built. */
const MEANWHILE = 0.1

type Entities = Readonly<Record<string, EntityDeclaration>>
/** A possible next version of Parley: one more field, one newly listed field. */
const UPGRADED: Entities = {
  ...ENTITIES,
  bot: { ...ENTITIES.bot, fields: { ...ENTITIES.bot.fields, motto: string({ initial: 'none yet' }) } },
}
const FIRST = { page: 1, size: 25, filter: {} }

let folder: string
let store: EventStore
const log = new MixedLog()
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-models-'))
  store = await openEmbeddedStore({ folder })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (name: string, entities: Entities = ENTITIES) =>
  openReadModels({ store, folder: join(folder, name), upcast, entities })

const ready = async (models: NodeReadModels) => {
  await models.reached(await store.head(), TIMEOUT_MS)
  await expect.poll(() => models.status().reason, { timeout: TIMEOUT_MS }).toBeUndefined()
}

/** Miniatures are drawn a while after the edits that they show. */
const drawn = async (models: string) => {
  const stale = () => {
    const file = new DatabaseSync(join(models, readFileSync(join(models, 'current'), 'utf8')), { readOnly: true })
    const found = file.prepare(
      'SELECT count(*) AS n FROM flow LEFT JOIN flow_miniature m ON m.flow = flow.key WHERE m.revision IS NOT flow.revision',
    )
    const stale = found.get()?.n
    file.close()
    return stale
  }
  await expect.poll(stale, { timeout: TIMEOUT_MS, interval: 100 }).toBe(0)
}

const closed = async (models: NodeReadModels, name: string) => {
  await ready(models)
  await drawn(join(folder, name))
  await models.close()
  return rowsOf(join(folder, name))
}

/** @returns the position of the last one */
const write = async (count: number, after: () => Promise<void> = async () => {}): Promise<void> => {
  for (let left = count; left > 0; left -= BATCH_SIZE) {
    const facts = log.take(Math.min(left, BATCH_SIZE))
    await Promise.all(facts.map(({ stream, revision, event }) => store.append(stream, revision - 1, [event])))
    await after()
  }
}

test(
  `read models of ${EVENTS} events that were deleted come back row by row as they were`,
  async () => {
    const live = await open('live')
    await write(EVENTS)
    const kept = await closed(live, 'live')
    rmSync(join(folder, 'live'), { recursive: true })
    const started = performance.now()
    const again = await open('live')
    await ready(again)
    const seconds = (performance.now() - started) / 1000
    expect(await closed(again, 'live')).toEqual(kept)
    const rows = Object.values(kept).reduce((sum, table) => sum + table.rows, 0)
    report('R9', { events: EVENTS, tables: Object.keys(kept).length, rows, 'rebuilt in seconds': seconds.toFixed(1) })
  },
  TIMEOUT_MS,
)

test(
  'after an upgrade of their shape the old ones serve on, and the new ones are what a build from nothing gives',
  async () => {
    const file = () => readFileSync(join(folder, 'live', 'current'), 'utf8')
    const before = file()
    const models = await open('live', UPGRADED)
    let asked = 0
    let behind = 0
    let total = 0
    const ask = async () => {
      // Either model shows each write at once, and no earlier row is missing.
      if (!(await models.reached(await store.head()))) behind += 1
      const page = await models.list(SYSTEM_SCOPE, 'hierarchy', FIRST)
      expect(page.total).toBeGreaterThanOrEqual(total)
      total = page.total
      expect((await models.audit(SYSTEM_SCOPE, { page: 1, size: 5 })).items).toHaveLength(5)
      asked += 1
    }
    await write(EVENTS * MEANWHILE, ask)
    while (file() === before) await ask()
    expect(behind).toBe(0)
    await write(BATCH_SIZE, ask)
    const [bot] = (await models.list(SYSTEM_SCOPE, 'bot', FIRST)).items
    expect(bot).toMatchObject({ motto: 'none yet' })
    const served = await closed(models, 'live')
    expect(await closed(await open('scratch', UPGRADED), 'scratch')).toEqual(served)
    report('R9', { 'asked while the new shape was built': asked })
  },
  TIMEOUT_MS,
)

test(
  'a gateway whose read models were deleted shows again what it showed, row by row',
  async () => {
    let parley: ParleyProcess | undefined
    try {
      parley = await startParley({ env: { PARLEY_SAMPLE: 'on' } })
      const models = join(parley.folder, 'projections')
      const admin = await parley.signIn()
      await wholeSample(admin, TIMEOUT_MS)
      // The service that understands comes up after it.
      const isUp = async () => {
        const services = (await admin.get('/botservice?size=100')).body.items
        return services.length > 0 && services.every(({ state }) => state !== 'down')
      }
      const isOver = async () => {
        if (!(await isUp())) return false
        const before = (await admin.get('/audit?size=1')).body.total
        await new Promise(resolve => setTimeout(resolve, 1000))
        return (await admin.get('/audit?size=1')).body.total === before
      }
      await expect.poll(isOver, { timeout: TIMEOUT_MS }).toBe(true)
      await drawn(models)
      await parley.end()
      const kept = rowsOf(models)
      rmSync(models, { recursive: true })
      parley = await startParley({ folder: parley.folder })
      const { origin } = parley
      const status = async () => (await fetch(`${origin}/botadmin/api/health/ready`)).status
      await expect.poll(status, { timeout: TIMEOUT_MS }).toBe(200)
      await drawn(models)
      await parley.end()
      expect(rowsOf(models)).toEqual(kept)
    } finally {
      await discard(parley)
    }
  },
  TIMEOUT_MS,
)
