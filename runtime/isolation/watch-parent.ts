import { workerData } from 'node:worker_threads'

const INTERVAL_MS = 1000

// A process without its parent belongs to another one.
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
