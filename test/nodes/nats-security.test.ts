import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readSettings } from '#gateway/settings.ts'
import { type NatsSettings, openNatsBus } from '#realtime/cluster/nats-bus.ts'
import { startNatsServer } from '#test/doubles/nats-server.ts'

const WAIT = { interval: 20 }
const STORE = { EVENTSTORE_URL: 'esdb://host:2113', PARLEY_KEY: 'k' }

let folder: string
const at = (name: string) => join(folder, name)
const text = (name: string) => readFileSync(at(name), 'utf8')
const write = (name: string, content: string): string => {
  writeFileSync(at(name), content)
  return at(name)
}
const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })

const makeCertificate = (name: string, extension: string): void => {
  const subject = ['-subj', `/CN=${name}`, '-keyout', `${name}.key`]
  openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject, '-out', `${name}.csr`)
  write(`${name}.ext`, extension)
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.ext`]
  openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-days', '1', '-out', `${name}.pem`)
}

const makeAuthority = (name: string): void => {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl(
    'req',
    '-x509',
    ...curve,
    '-subj',
    `/CN=${name}`,
    '-days',
    '1',
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
  )
}

const nkeyOf = (pair: nkeys.KeyPair) => new TextDecoder().decode(pair.getSeed())
const user = nkeys.createUser()

/** Signs a JWT of NATS. */
const jwtOf = (issuer: nkeys.KeyPair, subject: string, type: string): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const time = Math.floor(Date.now() / 1000)
  const names = { jti: subject, iat: time, iss: issuer.getPublicKey(), sub: subject, name: type }
  const limits = { subs: -1, data: -1, payload: -1 }
  const account = { ...limits, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 }
  const nats = {
    type,
    version: 2,
    ...(type === 'account' ? { limits: account } : {}),
    ...(type === 'user' ? limits : {}),
  }
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part({ ...names, nats })}`
  const signature = Buffer.from(issuer.sign(new TextEncoder().encode(signed))).toString('base64url')
  return `${signed}.${signature}`
}

const credsOf = (jwt: string, seed: string): string =>
  [
    '-----BEGIN NATS USER JWT-----',
    jwt,
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    seed,
    '------END USER NKEY SEED------\n',
  ].join('\n')

const TLS = () =>
  `tls { cert_file: "${at('localhost.pem')}", key_file: "${at('localhost.key')}", ca_file: "${at('ca.pem')}", verify: true }`

/** Opens a bus of the settings that a gateway reads; `lost` collects the reasons why it is not connected. */
const openBus = (given: Readonly<Record<string, string>>) => {
  const lost: string[] = []
  const settings: NatsSettings = readSettings({ ...STORE, ...given })
  const bus = openNatsBus({ settings, name: 'test', lost: reason => lost.push(reason), found: () => undefined })
  return { bus, lost }
}

/** A message of one connection of these settings reaches another one. */
const expectDelivery = async (given: Readonly<Record<string, string>>): Promise<void> => {
  const [one, two] = [openBus(given), openBus(given)]
  try {
    const heard: string[] = []
    two.bus.subscribe('parley.test', message => heard.push(String(Buffer.from(message))))
    await vi.waitFor(() => expect([one.bus.connected, two.bus.connected, one.lost]).toEqual([true, true, []]), WAIT)
    await vi.waitFor(() => {
      one.bus.publish('parley.test', Buffer.from('hello'))
      expect(heard).toContain('hello')
    }, WAIT)
  } finally {
    await Promise.all([one.bus.close(), two.bus.close()])
  }
}

const expectRefusal = async (given: Readonly<Record<string, string>>, reason: RegExp): Promise<void> => {
  const { bus, lost } = openBus(given)
  try {
    await vi.waitFor(() => expect(lost.join()).toMatch(reason), WAIT)
    expect(bus.connected).toBe(false)
  } finally {
    await bus.close()
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-nats-'))
  makeAuthority('ca')
  makeAuthority('other')
  makeCertificate('localhost', 'subjectAltName=DNS:localhost')
  makeCertificate('client', 'extendedKeyUsage=clientAuth')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('a nats-server that demands TLS, client certificates and an nkey', () => {
  let server: Awaited<ReturnType<typeof startNatsServer>>
  let given: Readonly<Record<string, string>>

  beforeAll(async () => {
    const users = `authorization { users: [ { nkey: ${user.getPublicKey()}, permissions: { publish: "parley.>", subscribe: "parley.>" } } ] }`
    server = await startNatsServer(write('nkey.conf', `${TLS()}\n${users}\n`))
    given = {
      NATS_URL: server.url.replace('127.0.0.1', 'localhost'),
      NATS_CA_FILE: at('ca.pem'),
      NATS_CLIENT_CERT_FILE: at('client.pem'),
      NATS_CLIENT_KEY_FILE: at('client.key'),
      NATS_NKEY_FILE: write('user.nk', `${nkeyOf(user)}\n`),
    }
  })
  afterAll(() => server.stop())

  test('delivers with the CA, the client certificate and the nkey from files [P-1561]', () => expectDelivery(given))

  test('is away with another CA [P-1561]', () =>
    expectRefusal({ ...given, NATS_CA_FILE: at('other.pem') }, /certificate|verify/i))

  test('is away without a client certificate [P-1561]', () => {
    const { NATS_CLIENT_CERT_FILE: _cert, NATS_CLIENT_KEY_FILE: _key, ...rest } = given
    return expectRefusal(rest, /./)
  })

  test('is away with the nkey of another user [P-1561]', () =>
    expectRefusal({ ...given, NATS_NKEY_FILE: write('other.nk', nkeyOf(nkeys.createUser())) }, /authorization/i))
})

describe('a nats-server of an operator', () => {
  const [operator, account] = [nkeys.createOperator(), nkeys.createAccount()]
  let server: Awaited<ReturnType<typeof startNatsServer>>

  beforeAll(async () => {
    const key = account.getPublicKey()
    const config = [
      `operator: ${jwtOf(operator, operator.getPublicKey(), 'operator')}`,
      'resolver: MEMORY',
      `resolver_preload: { ${key}: ${jwtOf(operator, key, 'account')} }`,
    ]
    server = await startNatsServer(write('operator.conf', config.join('\n')))
  })
  afterAll(() => server.stop())

  test('delivers with a credentials file [P-1561]', () => {
    const creds = credsOf(jwtOf(account, user.getPublicKey(), 'user'), nkeyOf(user))
    return expectDelivery({ NATS_URL: server.url, NATS_CREDS_FILE: write('user.creds', creds) })
  })

  test('is away with credentials that another account signed [P-1561]', () => {
    const creds = credsOf(jwtOf(nkeys.createAccount(), user.getPublicKey(), 'user'), nkeyOf(user))
    return expectRefusal({ NATS_URL: server.url, NATS_CREDS_FILE: write('foreign.creds', creds) }, /authorization/i)
  })
})

describe('settings of NATS', () => {
  const NATS_URL = 'nats://localhost:4222'
  const seed = nkeyOf(user)
  const open = (given: Readonly<Record<string, string>>) => () => openBus(given)

  test.each([
    [{ NATS_NKEY: seed }, /^NATS_NKEY needs NATS_URL$/],
    [{ NATS_URL, NATS_NKEY: 'SUA' }, /^NATS_NKEY must be /],
    [{ NATS_URL, NATS_NKEY: `SU${'A'.repeat(56)}` }, /^NATS_NKEY can not be used/],
    [{ NATS_URL, NATS_CREDS: 'jwt' }, /^NATS_CREDS must be /],
    [{ NATS_URL, NATS_CREDS: credsOf('jwt', 'SUA') }, /^NATS_CREDS can not be used/],
    [{ NATS_URL, NATS_NKEY: seed, NATS_CREDS: credsOf('jwt', seed) }, /^NATS_NKEY, NATS_CREDS and a user/],
    [{ NATS_URL: 'nats://user:pass@localhost:4222', NATS_NKEY: seed }, /^NATS_NKEY, NATS_CREDS and a user/],
    [{ NATS_URL, NATS_CA: '-----BEGIN CERTIFICATE-----\nAA' }, /^NATS_CA can not be used/],
  ])('stop the start with one line without their values %# [P-1561]', (given, message) => {
    expect(open(given)).toThrow(message)
    expect(open(given)).toThrow(/^[^\n]+$/)
    expect(open(given)).not.toThrow(new RegExp(seed))
  })

  test('demand the key of a client certificate, and the right one [P-1561]', () => {
    const pem = text('client.pem')
    expect(open({ NATS_URL, NATS_CLIENT_CERT: pem })).toThrow(/must be given together$/)
    expect(open({ NATS_URL, NATS_CLIENT_CERT: pem, NATS_CLIENT_KEY: text('other.key') })).toThrow(
      /do not belong together$/,
    )
  })
})
