import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { StatementCache } from '../statement-cache.ts'
import { miniatureOf, readableDocument } from './flow-keyframe.ts'
import { lateFlows, referencesIn } from './reference-index.ts'

/** Reads each flow that a rebuild put off once, while the projection worker makes indexes. */
const database = new DatabaseSync((workerData as { file: string }).file, { readOnly: true, timeout: 5000 })
const statements = new StatementCache(database)
for (const flow of lateFlows(statements)) {
  const doc = readableDocument(statements, flow.key)
  const references = doc === undefined ? [] : referencesIn(doc)
  parentPort?.postMessage({ flow, references, miniature: miniatureOf(doc) })
  doc?.destroy()
}
database.close()
parentPort?.postMessage(null)
