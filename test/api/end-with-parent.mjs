// Preloaded into gateways under test: standard input ends with the process that started them, and they end with it.
import { isMainThread } from 'node:worker_threads'

// Threads preload it too, and their standard input has ended from the start.
if (isMainThread) {
  process.stdin.resume().on('end', () => process.kill(process.pid, 'SIGKILL'))
  process.stdin.unref?.()
}
