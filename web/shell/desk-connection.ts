import type { DeskFrame } from '#schemas/api/desk.ts'

const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000] as const
/** Session ended, and no right to the desk: neither changes by trying again. */
const FINAL_CODES = new Set([4401, 4403])

const addressOf = (only: 'counts' | undefined): string => {
  const address = new URL('/botadmin/realtime/desk', location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  if (only !== undefined) address.searchParams.set('only', only)
  return address.href
}

interface Listener {
  /** `isAgain`: after a loss, so that frames may be missing. */
  opened(isAgain: boolean): void
  received(frame: DeskFrame): void
  lost?(): void
}

/** Connects to the socket of the desk, and again after each loss. */
export const openDeskConnection = (only: 'counts' | undefined, { opened, received, lost }: Listener) => {
  let socket: WebSocket | undefined
  let attempts = 0
  let again: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const connect = () => {
    const current = new WebSocket(addressOf(only))
    socket = current
    current.onopen = () => {
      const isAgain = attempts > 0
      attempts = 0
      opened(isAgain)
    }
    current.onmessage = ({ data }) => received(JSON.parse(String(data)) as DeskFrame)
    current.onclose = ({ code }) => {
      if (isStopped) return
      lost?.()
      if (FINAL_CODES.has(code)) return
      const wait = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] ?? 0
      attempts += 1
      again = setTimeout(connect, wait)
    }
  }
  connect()
  return {
    send(frame: object) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
    },
    stop() {
      isStopped = true
      clearTimeout(again)
      socket?.close()
    },
  }
}
