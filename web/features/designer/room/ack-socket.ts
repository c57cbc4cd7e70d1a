const SYNC = 0
const STEP_1 = 0

/** A document message is a sync step 2 or an update: what the server counts for its acknowledgements. */
export const isDocumentMessage = (data: unknown): boolean =>
  data instanceof Uint8Array && data[0] === SYNC && data.length > 1 && data[1] !== STEP_1

/** A WebSocket that tells when it is opened anew and of each document message it sends. */
export const ackSocket = (tell: { readonly fresh: () => void; readonly sent: () => void }): typeof WebSocket =>
  class AckSocket extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      tell.fresh()
    }
    override send(data: string | ArrayBufferLike | Blob | ArrayBufferView<ArrayBuffer>): void {
      if (isDocumentMessage(data)) tell.sent()
      super.send(data as string | ArrayBuffer | Blob | ArrayBufferView<ArrayBuffer>)
    }
  }
