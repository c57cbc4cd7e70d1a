import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { QueryPool } from './query-pool.ts'
import { createTables } from './schema.ts'

test('answers with another thread while questions wait, which ends after a minute without use [P-2964]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'query-pool-'))
  const file = join(folder, 'models.sqlite')
  const database = new DatabaseSync(file)
  createTables(database, [])
  database.close()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const pool = new QueryPool(file, 2)
  const ask = () => pool.ask('bindings', ['no flow'])
  try {
    await ask()
    const answers = Promise.all([ask(), ask(), ask()])
    vi.advanceTimersByTime(200)
    expect(pool.threads).toBe(2)
    await answers
    // Its minute begins once it has started.
    for (let n = 0; n < 600 && pool.threads === 2; n += 1) {
      await pause(50)
      vi.advanceTimersByTime(60_000)
    }
    expect(pool.threads).toBe(1)
    await ask()
  } finally {
    vi.useRealTimers()
    await pool.close()
    rmSync(folder, { recursive: true })
  }
})
