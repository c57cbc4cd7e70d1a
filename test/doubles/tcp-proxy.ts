import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Test code only: forwards connections to a port of this machine. */
export interface TcpProxy {
  readonly port: number
  /** Open connections stay open and carry nothing any more; new ones work. */
  halfOpen(): void
  close(): Promise<void>
}

/** `to`: the port at the time of each connection. */
export const startTcpProxy = async (port: number, to: () => number): Promise<TcpProxy> => {
  const pairs = new Map<Socket, Socket>()
  const halfOpen = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(to(), '127.0.0.1')
    pairs.set(client, upstream)
    client.setNoDelay(true)
    upstream.setNoDelay(true)
    client.pipe(upstream).pipe(client)
    const end = () => {
      halfOpen.delete(client)
      if (!pairs.delete(client)) return void client.destroy()
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    client.on('close', end)
    upstream.on('close', () => {
      if (pairs.has(client)) end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    halfOpen() {
      for (const [client, upstream] of [...pairs]) {
        pairs.delete(client)
        client.unpipe(upstream)
        upstream.unpipe(client)
        upstream.destroy()
        client.pause()
        halfOpen.add(client)
      }
    },
    async close() {
      server.close()
      for (const client of [...pairs.keys(), ...halfOpen]) client.destroy()
      await once(server, 'close')
    },
  }
}
