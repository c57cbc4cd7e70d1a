import { parentPort, workerData } from 'node:worker_threads'
import { readFeed } from './read-feed.ts'

const { xml, most, address } = workerData as {
  readonly xml: string
  readonly most: number
  readonly address: string
}
parentPort?.postMessage(readFeed(xml, most, address))
