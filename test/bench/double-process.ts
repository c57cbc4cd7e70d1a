import { startEventStoreDouble } from '../doubles/eventstoredb/event-store-double.ts'

/** The EventStoreDB double in a separate process, so that its work is counted apart. */
const [folder = ''] = process.argv.slice(2)
const { url, stop } = await startEventStoreDouble({ folder })
process.stdout.write(`${url}\n`)
process.once('SIGTERM', () => void stop().then(() => process.exit(0)))
