import { readFileSync } from 'node:fs'
import { type Settings, settingNames, settingNote, settingsSchema, WrongSetting } from '#schemas/settings.ts'
import { isOwnOrigin } from './http/headers.ts'

const MAX_BYTES = 65_536

const contentOf = (variable: string, file: string): string => {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new WrongSetting(`${variable} must be the path of a file that can be read${code}`)
  }
  if (bytes.length > MAX_BYTES) throw new WrongSetting(`${variable} must be the path of a file of at most 64 KiB`)
  const content = bytes.toString().replace(/\r?\n$/, '')
  if (content === '') throw new WrongSetting(`${variable} must be the path of a file that is not empty`)
  return content
}

/**
 * The text of a setting: the variable of its name, or the file at the path in `<NAME>_FILE` without its last line break.
 * Undefined when both are absent or empty.
 * @throws WrongSetting that names the variable, never its text, which may be a secret
 */
const givenSetting = (name: string, environment: Readonly<Record<string, string | undefined>>): string | undefined => {
  const variable = `${name}_FILE`
  const file = environment[variable]
  const value = environment[name] || undefined
  if (!file) return value
  if (value === undefined) return contentOf(variable, file)
  throw new WrongSetting(`${name} and ${variable} must not both be given`)
}

const isFramedFromItself = ({ METABASE_URL, PUBLIC_URL, HOST, PORT }: Settings): boolean => {
  if (METABASE_URL === undefined) return false
  const { origin } = new URL(METABASE_URL)
  const isEvery = HOST === '0.0.0.0' || HOST === '::'
  const host = isEvery ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  return isOwnOrigin(origin, PUBLIC_URL ?? `http://${host}:${PORT}`, {})
}

const NATS_SECURITY = ['NATS_CA', 'NATS_CLIENT_CERT', 'NATS_CLIENT_KEY', 'NATS_NKEY', 'NATS_CREDS'] as const

/** @throws WrongSetting */
const checkNats = (settings: Settings): void => {
  const { NATS_URL, NATS_CLIENT_CERT, NATS_CLIENT_KEY, NATS_NKEY, NATS_CREDS } = settings
  const given = NATS_SECURITY.find(name => settings[name] !== undefined)
  if (given !== undefined && NATS_URL === undefined) throw new WrongSetting(`${given} needs NATS_URL`)
  if ((NATS_CLIENT_CERT === undefined) !== (NATS_CLIENT_KEY === undefined))
    throw new WrongSetting('NATS_CLIENT_CERT and NATS_CLIENT_KEY must be given together')
  const names = [NATS_NKEY, NATS_CREDS, NATS_URL?.includes('@') ? NATS_URL : undefined]
  if (names.filter(name => name !== undefined).length > 1)
    throw new WrongSetting('NATS_NKEY, NATS_CREDS and a user in NATS_URL must not be given together')
}

/**
 * Settings from the environment and from the files that it names; an empty variable counts as absent.
 * @throws WrongSetting naming the first wrong one, never a secret's value
 */
export const readSettings = (environment: Readonly<Record<string, string | undefined>>): Settings => {
  const given = Object.fromEntries(settingNames.map(name => [name, givenSetting(name, environment)]))
  const parsed = settingsSchema.safeParse(given)
  if (parsed.success) {
    const { EVENTSTORE_URL, NATS_URL, PARLEY_KEY } = parsed.data
    // Its frames may run scripts: on the console's own origin they could act as their viewer.
    if (isFramedFromItself(parsed.data))
      throw new WrongSetting('METABASE_URL must not be on the origin of this console: give Metabase a host of its own')
    checkNats(parsed.data)
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = parsed.data
    if ((OIDC_ISSUER === undefined) !== (OIDC_CLIENT_ID === undefined))
      throw new WrongSetting('OIDC_ISSUER and OIDC_CLIENT_ID must be given together')
    if (OIDC_CLIENT_SECRET !== undefined && OIDC_ISSUER === undefined)
      throw new WrongSetting('OIDC_CLIENT_SECRET needs OIDC_ISSUER')
    if ((parsed.data.MAIL_URL === undefined) !== (parsed.data.MAIL_FROM === undefined))
      throw new WrongSetting('MAIL_URL and MAIL_FROM must be given together')
    // It joins nodes that share a store; the embedded one is one node's.
    if (NATS_URL !== undefined && EVENTSTORE_URL === undefined)
      throw new WrongSetting('NATS_URL needs EVENTSTORE_URL: it joins nodes that share an event store')
    // Several nodes share what it encrypts: one of them must not make its own.
    if (EVENTSTORE_URL === undefined || PARLEY_KEY !== undefined) return parsed.data
    throw new WrongSetting('PARLEY_KEY must be given with EVENTSTORE_URL: 32 bytes in base64, the same on every node')
  }
  const name = parsed.error.issues[0]?.path[0] as keyof Settings
  throw new WrongSetting(`${name} must be ${settingNote(name).expected}`)
}

/**
 * Settings of a gateway that starts. Files and models in `PARLEY_DATA` would be missing on the other nodes of its store.
 * @throws WrongSetting
 */
export const readGatewaySettings: typeof readSettings = environment => {
  const settings = readSettings(environment)
  const { EVENTSTORE_URL, STORAGE_URL, SINGLE_NODE } = settings
  if (EVENTSTORE_URL !== undefined && STORAGE_URL === undefined && !SINGLE_NODE)
    throw new WrongSetting(
      'STORAGE_URL must be given with EVENTSTORE_URL: a place of files that all nodes share. For one node alone set SINGLE_NODE=on',
    )
  return settings
}
