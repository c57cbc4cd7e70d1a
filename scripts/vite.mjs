// Vite's development server, for `npm run dev` and `npm run gallery`. Plain JavaScript: it runs on any Node from 20.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const INTERVAL_MS = 100

export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Arguments for Node 24. Vite prints warnings and errors only: the scripts print the address. */
export const viteArguments = (root, host, port) => [
  join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
  ...['--config', 'web/vite.config.ts', '--logLevel', 'warn', '--clearScreen', 'false'],
  ...['--host', host, '--port', String(port), '--strictPort'],
]

/** Waits until the server at an address answers, or until `isOver`. */
export const viteAnswers = async (address, isOver) => {
  const answers = () =>
    fetch(`${address}/botadmin/first-paint.js`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!isOver() && !(await answers())) await wait(INTERVAL_MS)
}
