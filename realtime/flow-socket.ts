import { WebSocket, WebSocketServer } from 'ws'

/** Close codes of the library: message too large, and violation of RFC 6455. */
const TOO_LARGE = 1009
const FIRST_FAULT = 1002
/** A peer that sends on instead of closing loses its socket after this long, ms. */
const CLOSE_TIMEOUT_MS = 2_000

/** @param maxPayload bytes of one message that are read at all */
export const flowSockets = (maxPayload: number) =>
  new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload, WebSocket: FlowSocket })

/** A socket that says by a room's own close codes also what ends it before a message is there. */
class FlowSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    if (code === undefined || code < FIRST_FAULT || code > TOO_LARGE) super.close(code, reason)
    else {
      super.close(code === TOO_LARGE ? 4413 : 4400, code === TOO_LARGE ? 'message too large' : 'malformed message')
      setTimeout(() => this.terminate(), CLOSE_TIMEOUT_MS).unref()
    }
  }
}
