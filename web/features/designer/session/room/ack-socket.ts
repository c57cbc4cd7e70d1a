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

/** Why the server ended a connection, and what the client does about it. */
export type Ending =
  | { readonly kind: 'retry'; readonly after: number }
  | { readonly kind: 'session' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'large' }

/** Milliseconds: a rate limited room gets a longer pause. */
const PACE = { normal: 250, limited: 5000, longest: 5_000 }

/** Exponential, jittered to 50–150 %, so that a thousand clients do not come back in the same moment. */
export const reconnectDelay = (attempt: number, random: number, base = PACE.normal): number =>
  Math.min(PACE.longest, base * 2 ** Math.min(attempt, 8)) * (0.5 + random)

/** Action for a WebSocket close code (`realtime/connection.ts`). `attempt` counts failures in a row, `random` is in [0, 1). */
export const classifyCloseCode = (code: number, attempt: number, random: number): Ending => {
  switch (code) {
    case 4401:
      return { kind: 'session' }
    case 4403:
      return { kind: 'forbidden' }
    case 4404:
      return { kind: 'missing' }
    case 4400:
      return { kind: 'refused' }
    case 4413:
      return { kind: 'large' }
    case 4429:
      return { kind: 'retry', after: reconnectDelay(attempt, random, PACE.limited) }
    default:
      return { kind: 'retry', after: reconnectDelay(attempt, random) }
  }
}
