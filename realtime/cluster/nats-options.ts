import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
  type TlsOptions,
} from '@nats-io/transport-node'
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
