import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromQuery, QueryData, ToQuery } from '../message.ts'
import { createQueries, type Queries } from './queries.ts'

const port = parentPort
if (port === null) throw new Error('query-worker runs as a worker thread')
const { file } = workerData as QueryData

const database = new DatabaseSync(file, { readOnly: true })
database.exec('PRAGMA busy_timeout = 5000; PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY')
const queries = createQueries(database)

/** One question is one moment of the file: a page and its total fit each other. */
const answer = (method: keyof Queries, args: readonly unknown[]): unknown => {
  const query = queries[method] as (...args: readonly unknown[]) => unknown
  database.exec('BEGIN')
  try {
    return query(...args)
  } finally {
    database.exec('COMMIT')
  }
}

port.on('message', ({ id, method, args }: ToQuery) => {
  let message: FromQuery
  try {
    message = { id, ok: true, value: answer(method as keyof Queries, args) }
  } catch (error) {
    message = { id, ok: false, message: error instanceof Error ? error.message : String(error) }
  }
  port.postMessage(message)
})

port.postMessage({ isReady: true } satisfies FromQuery)
