const SYNC = 0
const STEP_1 = 0

/** Whether a message is a sync step 2 or an update: the server counts these for its acknowledgements. */
export const isDocumentMessage = (data: unknown): boolean =>
  data instanceof Uint8Array && data[0] === SYNC && data.length > 1 && data[1] !== STEP_1

type Listener<E extends Event> = ((this: WebSocket, event: E) => unknown) | null

/**
 * A WebSocket that reports each new connection and each document message it sends. It connects at once, but delays its
 * events until `held` resolves, in order.
 */
export const ackSocket = (
  tell: { readonly fresh: () => void; readonly sent: () => void },
  held: Promise<void>,
): typeof WebSocket => {
  const late = <E extends Event>(listener: Listener<E>): Listener<E> =>
    listener &&
    function (this: WebSocket, event: E) {
      void held.then(() => listener.call(this, event))
    }
  return class AckSocket extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      tell.fresh()
    }
    override set onopen(listener: Listener<Event>) {
      super.onopen = late(listener)
    }
    override set onmessage(listener: Listener<MessageEvent>) {
      super.onmessage = late(listener)
    }
    override set onerror(listener: Listener<Event>) {
      super.onerror = late(listener)
    }
    override set onclose(listener: Listener<CloseEvent>) {
      super.onclose = late(listener)
    }
    override send(data: string | ArrayBufferLike | Blob | ArrayBufferView<ArrayBuffer>): void {
      if (isDocumentMessage(data)) tell.sent()
      super.send(data as string | ArrayBuffer | Blob | ArrayBufferView<ArrayBuffer>)
    }
  }
}
