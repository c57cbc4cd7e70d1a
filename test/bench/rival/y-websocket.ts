import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadRival } from '../rival.ts'

interface Utilities {
  readonly setupWSConnection: (socket: object, request: object) => void
}

/** The server that comes with y-websocket 2, listening as its own start script does. */
const { setupWSConnection } = loadRival<Utilities>('y-websocket/bin/utils')
const { WebSocketServer } = loadRival<typeof import('ws')>('ws')
const server = createServer()
new WebSocketServer({ server }).on('connection', setupWSConnection)
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
