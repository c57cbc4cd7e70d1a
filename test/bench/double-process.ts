import { startEventStoreDouble } from '../doubles/eventstoredb/event-store-double.ts'

/** The double of EventStoreDB in a process of its own, so that its work is not counted as anybody else's. */
const [folder = ''] = process.argv.slice(2)
const { url, stop } = await startEventStoreDouble({ folder })
process.stdout.write(`${url}\n`)
process.once('SIGTERM', () => void stop().then(() => process.exit(0)))
