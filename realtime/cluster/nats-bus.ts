import { X509Certificate } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import {
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
  type Subscription,
  type TlsOptions,
} from '@nats-io/transport-node'
import type { HintBus } from '#realtime/port.ts'
import { type Settings, WrongSetting } from '#schemas/settings.ts'

/** Address of NATS, in its client's format. */
interface ServerAddress {
  readonly servers: string[]
  readonly user?: string
  readonly pass?: string
  readonly token?: string
  readonly tls?: Record<string, never>
}

const ADDRESS = /^(?:(nats|tls):\/\/)?(?:([^@]*)@)?([^@/]+)\/?$/

/**
 * Reads NATS_URL: one address or several, separated by commas; any of them may contain credentials, as user:password@
 * or token@.
 */
export const serverAddress = (urls: string): ServerAddress => {
  const read = urls.split(',').map(url => ADDRESS.exec(url.trim()))
  const claim = read.map(parts => parts?.[2]).find(given => given !== undefined && given !== '')
  const isSecure = read.some(parts => parts?.[1] === 'tls')
  return {
    servers: read.flatMap(parts => parts?.[3] ?? []),
    ...(claim === undefined ? {} : claimOf(claim)),
    ...(isSecure ? { tls: {} } : {}),
  }
}

const claimOf = (claim: string): Pick<ServerAddress, 'user' | 'pass' | 'token'> => {
  const colon = claim.indexOf(':')
  if (colon === -1) return { token: decoded(claim) }
  return { user: decoded(claim.slice(0, colon)), pass: decoded(claim.slice(colon + 1)) }
}

/** A literal percent sign stays unchanged. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export type NatsSettings = Pick<
  Settings,
  'NATS_URL' | 'NATS_CA' | 'NATS_CLIENT_CERT' | 'NATS_CLIENT_KEY' | 'NATS_NKEY' | 'NATS_CREDS'
>

/** @throws WrongSetting, without the error of the check: it may quote a secret */
const check = (names: string, attempt: () => unknown): void => {
  try {
    attempt()
  } catch {
    throw new WrongSetting(`${names} can not be used: the content is damaged, or the parts do not belong together`)
  }
}

const tlsOf = ({ NATS_CA: ca, NATS_CLIENT_CERT: cert, NATS_CLIENT_KEY: key }: NatsSettings): TlsOptions | undefined => {
  if (ca === undefined && cert === undefined) return undefined
  const given: SecureContextOptions & TlsOptions = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  }
  // A secure context accepts damaged authorities.
  if (ca !== undefined) check('NATS_CA', () => new X509Certificate(ca))
  check('NATS_CLIENT_CERT or NATS_CLIENT_KEY', () => createSecureContext(given))
  return given
}

const authenticatorOf = ({ NATS_NKEY, NATS_CREDS }: NatsSettings): Authenticator | undefined => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  if (NATS_NKEY !== undefined) return checked('NATS_NKEY', nkeyAuthenticator(bytes(NATS_NKEY)))
  if (NATS_CREDS === undefined) return undefined
  // The library finds the seed only where a line break follows its last line.
  return checked('NATS_CREDS', credsAuthenticator(bytes(`${NATS_CREDS}\n`)))
}

const checked = (name: string, authenticator: Authenticator): Authenticator => {
  check(name, () => authenticator('nonce'))
  return authenticator
}

/**
 * Servers, TLS and sign-in of NATS_URL and its companions.
 * @throws WrongSetting
 */
export const connectionOptions = (settings: NatsSettings): ConnectionOptions => {
  const tls = tlsOf(settings)
  const authenticator = authenticatorOf(settings)
  return {
    ...serverAddress(settings.NATS_URL ?? ''),
    ...(tls === undefined ? {} : { tls }),
    ...(authenticator === undefined ? {} : { authenticator }),
  }
}

interface NatsBusOptions {
  readonly settings: NatsSettings
  /** Name of this node on the servers. */
  readonly name: string
  /** Called once for each outage of NATS. */
  readonly lost: (reason: string) => void
  readonly found: () => void
}

const CONNECT_MS = 3_000
const FIRST_WAIT = 100
const MAX_WAIT_MS = 2_000
/** A frozen server counts as lost after this many unanswered pings. */
const PING_MS = 1_000
const PINGS = 3
const FLUSH_MS = 500
/** Until the server says otherwise. */
const LARGEST = 1_048_576

interface Listening {
  readonly subject: string
  readonly listener: (message: Uint8Array) => void
  subscription?: Subscription | undefined
}

/**
 * Joins nodes over NATS. Works at once, connects when it can, and again whenever it was cut off.
 * @throws WrongSetting
 */
export const openNatsBus = (options: NatsBusOptions): HintBus => new NatsBus(options)

/**
 * The client's own reconnecting is not used: it keeps what is published meanwhile and sends it later, when it is no hint
 * any more.
 */
class NatsBus implements HintBus {
  readonly #options: NatsBusOptions
  readonly #server: ConnectionOptions
  readonly #listening = new Set<Listening>()
  readonly #told: (() => void)[] = []
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  #connection: NatsConnection | undefined
  #isAway = false

  constructor(options: NatsBusOptions) {
    this.#options = options
    this.#server = connectionOptions(options.settings)
    this.#running = this.#run()
  }

  get connected(): boolean {
    return this.#connection !== undefined && !this.#connection.isClosed()
  }

  get largest(): number {
    return this.#connection?.info?.max_payload ?? LARGEST
  }

  publish(subject: string, message: Uint8Array): void {
    try {
      this.#connection?.publish(subject, message)
    } catch {
      // The connection was just cut: the store has the data.
    }
  }

  subscribe(subject: string, listener: (message: Uint8Array) => void): () => void {
    const listening: Listening = { subject, listener }
    this.#listening.add(listening)
    this.#listen(listening)
    return () => {
      this.#listening.delete(listening)
      listening.subscription?.unsubscribe()
    }
  }

  onConnected(listener: () => void): void {
    this.#told.push(listener)
  }

  async close(): Promise<void> {
    const connection = this.#connection
    this.#closing.abort()
    const patience = () => pause(FLUSH_MS, undefined, { ref: false })
    await Promise.race([connection?.flush().catch(() => undefined), patience()])
    await connection?.close()
    await Promise.race([this.#running, patience()])
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    for (let wait = FIRST_WAIT; !signal.aborted; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        const connection = await this.#connect()
        wait = FIRST_WAIT
        const error = await connection.closed()
        this.#away(error instanceof Error ? error.message : 'the connection was closed')
      } catch (error) {
        this.#away(error instanceof Error ? error.message : String(error))
      }
      this.#connection = undefined
      await pause(wait * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined)
    }
  }

  async #connect(): Promise<NatsConnection> {
    const connection = await connect({
      ...this.#server,
      name: this.#options.name,
      noEcho: true,
      reconnect: false,
      timeout: CONNECT_MS,
      pingInterval: PING_MS,
      maxPingOut: PINGS,
    })
    if (this.#closing.signal.aborted) await connection.close()
    this.#connection = connection
    for (const listening of this.#listening) this.#listen(listening)
    if (this.#isAway) this.#options.found()
    this.#isAway = false
    for (const told of this.#told) told()
    return connection
  }

  #listen(listening: Listening): void {
    if (!this.connected) return
    const { subject, listener } = listening
    listening.subscription = this.#connection?.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) listener(message.data)
      },
    })
  }

  #away(reason: string): void {
    if (!this.#isAway && !this.#closing.signal.aborted) this.#options.lost(reason)
    this.#isAway = true
  }
}
