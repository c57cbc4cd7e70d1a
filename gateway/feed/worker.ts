import { parentPort, workerData } from 'node:worker_threads'
import { readFeed } from './read-feed.ts'

const { xml, most } = workerData as { readonly xml: string; readonly most: number }
parentPort?.postMessage(readFeed(xml, most))
