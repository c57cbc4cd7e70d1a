import { createInterface } from 'node:readline'
import { openEventStoreDb } from '#commands/store/eventstoredb/open-event-store-db.ts'
import { MetricIndex } from '#runtime/metrics/metric-index.ts'

/**
 * A node that follows the log of conversations until it is killed: `node metrics-node.ts <store> <index file>`. For each
 * position on standard input it prints `reached` when its figures include it. Test code only.
 */
const [url = '', file = ''] = process.argv.slice(2)
const store = await openEventStoreDb({ url })
const index = new MetricIndex(file)
const failed = (error: unknown) => process.stderr.write(`${String(error)}\n`)
void index.followConversations(store, failed)
process.stdout.write('following\n')
const reached = async (position: string): Promise<void> => {
  try {
    await index.reached(position)
  } catch {
    await reached(position)
  }
}
for await (const position of createInterface({ input: process.stdin })) {
  await reached(position)
  process.stdout.write('reached\n')
}
await index.close()
await store.close()
