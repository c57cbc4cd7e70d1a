import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/** The least that a room server can do: it relays each message to all others. Baseline for the rooms. */
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', socket => {
  socket.on('message', (data, isBinary) => {
    for (const other of server.clients) if (other !== socket) other.send(data, { binary: isBinary })
  })
})
server.on('listening', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
