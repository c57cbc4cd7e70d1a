import type { AddressInfo } from 'node:net'
import { loadRival } from '../rival.ts'

interface Hocuspocus {
  readonly Server: new (
    options: object,
  ) => { readonly httpServer: { address(): AddressInfo }; listen(): Promise<unknown> }
}

/** Hocuspocus as its documentation starts it, without anything that would store. */
const { Server } = loadRival<Hocuspocus>('@hocuspocus/server')
const server = new Server({ port: 0, address: '127.0.0.1', quiet: true, stopOnSignals: false })
await server.listen()
process.stdout.write(`${server.httpServer.address().port}\n`)
