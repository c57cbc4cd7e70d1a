import type { WebSocket } from 'ws'

const PING_MS = 25_000

/** Terminates a socket whose peer stops responding. */
export const keepAlive = (webSocket: WebSocket): void => {
  let isAlive = true
  const ping = setInterval(() => {
    if (!isAlive) webSocket.terminate()
    isAlive = false
    webSocket.ping()
  }, PING_MS).unref()
  webSocket.on('pong', () => {
    isAlive = true
  })
  webSocket.on('close', () => clearInterval(ping))
}
