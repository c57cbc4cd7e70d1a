import * as decoding from 'lib0/decoding'
import type { WebsocketProvider } from 'y-websocket'

const SYNC = 0
const STEP_2 = 1

/** Reports the server's first answer once it is applied: the complete missing update, as received. */
export const onFirstSync = (provider: WebsocketProvider, tell: (update: Uint8Array) => void): void => {
  const usual = provider.messageHandlers[SYNC]
  if (usual === undefined) throw new Error('the provider reads no sync messages')
  provider.messageHandlers[SYNC] = (encoder, decoder, ...rest) => {
    const ahead = decoding.clone(decoder)
    const update = decoding.readVarUint(ahead) === STEP_2 ? decoding.readVarUint8Array(ahead) : undefined
    usual(encoder, decoder, ...rest)
    if (update === undefined) return
    provider.messageHandlers[SYNC] = usual
    tell(update)
  }
}
