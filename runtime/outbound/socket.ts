import { WebSocket } from 'ws'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { pinned, type Resolve, readAddress, refusalOf, resolveName, resolveTarget } from './call.ts'

/** Bytes of one frame. */
const MAX_FRAME = 1_000_000

interface SocketOptions {
  /** ms until it is open. */
  readonly timeout: number
  /** PEM of the certificate or authority to trust instead of the public ones. */
  readonly ca?: string
}

export type OpenSocket = (address: string, options: SocketOptions) => Promise<Result<WebSocket>>

/** The only way to open WebSockets to configured addresses: public addresses only unless `allowPrivate`, no redirects. */
export const createSocketCall =
  ({
    allowPrivate,
    resolve = resolveName,
  }: {
    readonly allowPrivate: boolean
    readonly resolve?: Resolve
  }): OpenSocket =>
  async (address, { timeout, ca }) => {
    const url = readAddress(address.replace(/^ws(?=s?:)/iu, 'http'))
    if (!url.ok) return url
    try {
      const target = await resolveTarget(url.value, resolve, allowPrivate)
      if (!target.ok) return target
      const socket = new WebSocket(url.value.href.replace(/^http/u, 'ws'), {
        lookup: pinned(target.value.addresses),
        handshakeTimeout: timeout,
        maxPayload: MAX_FRAME,
        perMessageDeflate: false,
        ...(ca === undefined ? {} : { ca }),
      })
      await new Promise<void>((opened, failed) => {
        socket.once('open', opened)
        socket.once('error', failed)
      })
      return accepted(socket)
    } catch (error) {
      if (!(error instanceof Error) || 'code' in error) return refusalOf(error, timeout)
      return /timed out/u.test(error.message)
        ? refused('outbound.timeout', { params: { ms: timeout } })
        : refused('outbound.answer')
    }
  }
