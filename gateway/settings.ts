import { type Settings, settingsSchema } from '#schemas/settings.ts'
import { isOwnOrigin } from './origin.ts'

/** What each setting may be, as the one line says it. */
const EXPECTED: Readonly<Record<keyof Settings, string>> = {
  PORT: 'a port from 0 to 65535',
  HOST: 'a host name or address',
  PARLEY_DATA: 'a folder',
  PARLEY_ADMIN_PASSWORD: 'a password of at most 1024 characters',
  PARLEY_SAMPLE: 'on or off',
  PARLEY_KEY: 'a key',
  EVENTSTORE_URL: 'an address like esdb://… or kurrentdb://…',
  NATS_URL: 'server addresses like nats://host:4222 or tls://host:4222',
  INSTANCE_NAME: 'a name of at most 100 characters',
  THEME: 'theme1 … theme7, development, preproduction or production',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
  ALLOW_LEVEL1_DEFAULT_ACCESS: 'true or false',
  SESSION_HOURS: 'a number from 1 to 8760',
  LOGIN_ATTEMPTS: 'a number from 1 to 1000',
  PUBLIC_URL: 'an address like https://host',
  TRUSTED_PROXIES: 'addresses or networks, separated by commas',
  BOT_ROUTER_URL: 'an address like https://host',
  STORAGE_URL: 'file:… or s3://…',
  METABASE_URL: 'an address like https://host',
  METABASE_SECRET: 'the embedding secret of Metabase: 64 hexadecimal digits',
  GRAPH_URL: 'an address like https://graph.facebook.com/v23.0',
  ALLOW_PRIVATE_ADDRESSES: 'true or false',
  SEAL_EVENTS: 'a number from 1 to 5000',
  SEAL_MINUTES: 'a number from 1 to 1440',
}

const isFramedFromItself = ({ METABASE_URL, PUBLIC_URL, HOST, PORT }: Settings): boolean => {
  if (METABASE_URL === undefined) return false
  const { origin } = new URL(METABASE_URL)
  const isEvery = HOST === '0.0.0.0' || HOST === '::'
  const host = isEvery ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  return isOwnOrigin(origin, PUBLIC_URL ?? `http://${host}:${PORT}`, {})
}

/** The message is the one line to print before the process ends. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting'
}

/**
 * Settings from the environment; an empty variable counts as absent.
 * @throws WrongSetting naming the first wrong one, never a secret's value
 */
export const readSettings = (environment: Readonly<Record<string, string | undefined>>): Settings => {
  const given = Object.fromEntries(
    Object.keys(EXPECTED)
      .map(name => [name, environment[name]])
      .filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = settingsSchema.safeParse(given)
  if (parsed.success) {
    const { EVENTSTORE_URL, NATS_URL, PARLEY_KEY } = parsed.data
    // Its frames may run scripts: on the console's own origin they could act as whoever looks at them.
    if (isFramedFromItself(parsed.data))
      throw new WrongSetting('METABASE_URL must not be on the origin of this console: give Metabase a host of its own')
    // It joins nodes that share a store; the embedded one is one node's.
    if (NATS_URL !== undefined && EVENTSTORE_URL === undefined)
      throw new WrongSetting('NATS_URL needs EVENTSTORE_URL: it joins nodes that share an event store')
    // Several nodes share what it encrypts: one of them must not make its own.
    if (EVENTSTORE_URL === undefined || PARLEY_KEY !== undefined) return parsed.data
    throw new WrongSetting('PARLEY_KEY must be given with EVENTSTORE_URL: 32 bytes in base64, the same on every node')
  }
  const name = parsed.error.issues[0]?.path[0] as keyof Settings
  throw new WrongSetting(`${name} must be ${EXPECTED[name]}`)
}
