import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of this machine that nobody listens on, for what must be found at the same address again. Test code only. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
