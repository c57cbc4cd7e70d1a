import { describe, expect, test } from 'vitest'
import { WrongSetting } from '#schemas/settings.ts'
import { readGatewaySettings, readSettings } from './settings.ts'

const ADDRESSES = ['PUBLIC_URL', 'BOT_ROUTER_URL', 'GRAPH_URL', 'OIDC_ISSUER', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const

describe('settings', () => {
  test('every setting has the default of the contract [C-7.13]', () => {
    const settings = readSettings({ PORT: '', HOME: '/root' })
    expect(settings).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      PARLEY_DATA: './data',
      PARLEY_SAMPLE: true,
      SIMULATED_NUMBERS: true,
      INSTANCE_NAME: 'production',
      THEME: 'production',
      LOG_LEVEL: 'info',
      ALLOW_LEVEL1_DEFAULT_ACCESS: false,
      SESSION_HOURS: 12,
      LOGIN_ATTEMPTS: 5,
      OIDC_ONLY: false,
      TRUSTED_PROXIES: [],
      GRAPH_URL: 'https://graph.facebook.com/v23.0',
      ALLOW_PRIVATE_ADDRESSES: false,
      SEAL_EVENTS: 5000,
      SEAL_MINUTES: 10,
      SINGLE_NODE: false,
      DRAIN_SECONDS: 3,
      METRICS_ALLOW: [],
      OTEL_SERVICE_NAME: 'parley',
      OTEL_TRACES_SAMPLER_ARG: 0.05,
      OTEL_PROPAGATE_HOSTS: [],
      LIMIT_REQUESTS: 300,
      LIMIT_REQUESTS_BOT: 1_000,
      LIMIT_REQUESTS_NODE: 4_000,
      LIMIT_BODY_MB: 16,
      LIMIT_BODY_MB_BOT: 32,
      LIMIT_BODY_MB_NODE: 64,
      LIMIT_BODY_SECONDS: 10,
      LIMIT_MESSAGES: 60,
      LIMIT_MESSAGES_SENDER: 60,
      LIMIT_READS: 60_000,
      LIMIT_READS_BOT: 600_000,
      LIMIT_READS_NODE: 600_000,
      LIMIT_KEPT_MB_BOT: 10_000,
      LIMIT_MESSAGES_BOT: 6_000,
      LIMIT_MESSAGES_NODE: 30_000,
      LIMIT_CONVERSATIONS: 120,
      LIMIT_CONVERSATIONS_BOT: 1_200,
      LIMIT_CONVERSATIONS_NODE: 6_000,
      UPLOAD_MB: 1,
      UPLOAD_MB_CHAT: 25,
      LIMIT_FILES: 1_000,
      LIMIT_FILES_BOT: 20_000,
      LIMIT_FILE_MB: 200,
      LIMIT_FILE_MB_BOT: 2_000,
      LIMIT_CALLS_SESSION: 60_000,
      LIMIT_WRITES_SESSION: 36_000,
      LIMIT_CALLS_TOKEN: 600,
      LIMIT_WRITES_TOKEN: 120,
      LIMIT_CALLS_SCIM: 3_000,
      LIMIT_FILE_MB_NODE: 20_000,
    })
  })

  test.each([
    ['PORT', '70000'],
    ['PORT', 'abc'],
    ['HOST', 'http://host'],
    ['PARLEY_SAMPLE', 'maybe'],
    ['THEME', 'theme8'],
    ['LOG_LEVEL', 'loud'],
    ['SESSION_HOURS', '0'],
    ['LOGIN_ATTEMPTS', '-1'],
    ['PUBLIC_URL', 'ftp://host'],
    ...ADDRESSES.map(name => [name, 'https://name:word@host.example'] as [string, string]),
    ['EVENTSTORE_URL', 'http://host'],
    ['STORAGE_URL', 'ftp://host'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,nowhere'],
    ['ALLOW_LEVEL1_DEFAULT_ACCESS', 'yes'],
    ['METABASE_URL', 'metabase.example'],
    ['METABASE_URL', 'https://name:word@metabase.example'],
    ['METABASE_URL', 'https://metabase.example/?a=b'],
    ['METABASE_SECRET', 'abc'],
    ['METABASE_SECRET', 'g'.repeat(64)],
  ])('a wrong %s (%s) is refused in one line [P-2046]', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(WrongSetting)
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} must be [^\\n]+$`))
  })

  test('a shared store needs the shared key: one line says so', () => {
    const given = { EVENTSTORE_URL: 'esdb://host:2113' }
    expect(() => readSettings(given)).toThrow(/^PARLEY_KEY must be given with EVENTSTORE_URL: [^\n]+$/)
    expect(readSettings({ ...given, PARLEY_KEY: 'k' })).toMatchObject({ ...given, PARLEY_KEY: 'k' })
  })

  test('nodes of a shared store share the place of files: without one, one line says so [P-1503]', () => {
    const given = { EVENTSTORE_URL: 'esdb://host:2113', PARLEY_KEY: 'k' }
    expect(() => readGatewaySettings(given)).toThrow(/^STORAGE_URL must be given with EVENTSTORE_URL: [^\n]+$/)
    expect(() => readGatewaySettings({ ...given, SINGLE_NODE: 'off' })).toThrow(WrongSetting)
    for (const more of [{ STORAGE_URL: 'file:///files' }, { SINGLE_NODE: 'on' }])
      expect(readGatewaySettings({ ...given, ...more })).toMatchObject(given)
    expect(readGatewaySettings({})).toMatchObject({ SINGLE_NODE: false })
  })

  test('NATS joins nodes that share a store: without one, one line says so', () => {
    const given = { NATS_URL: 'nats://one:4222,nats://two:4222' }
    expect(() => readSettings(given)).toThrow(/^NATS_URL needs EVENTSTORE_URL: [^\n]+$/)
    const shared = { ...given, EVENTSTORE_URL: 'esdb://host:2113', PARLEY_KEY: 'k' }
    expect(readSettings(shared)).toMatchObject(shared)
    expect(() => readSettings({ ...shared, NATS_URL: 'ws://host' })).toThrow(/^NATS_URL must be [^\n]+$/)
  })

  test.each([
    { PUBLIC_URL: 'https://console.example', METABASE_URL: 'https://console.example/metabase' },
    { PORT: '3000', METABASE_URL: 'http://localhost:3000' },
    { HOST: '0.0.0.0', PORT: '3000', METABASE_URL: 'http://127.0.0.1:3000/reports' },
  ])('a Metabase on the origin of the console stops the start with one line %# [P-203]', given => {
    expect(() => readSettings(given)).toThrow(/^METABASE_URL must not be on the origin of this console[^\n]+$/)
  })

  test('a Metabase on another host or port is taken', () => {
    const given = { PUBLIC_URL: 'https://console.example', METABASE_URL: 'https://reports.example/mb/' }
    expect(readSettings(given).METABASE_URL).toBe('https://reports.example/mb')
    expect(readSettings({ METABASE_URL: 'http://localhost:3001' }).METABASE_URL).toBe('http://localhost:3001')
  })

  test('headers for the receiver of traces are read from pairs, percent-decoded [P-2600]', () => {
    const read = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
      readSettings({ OTEL_EXPORTER_OTLP_HEADERS }).OTEL_EXPORTER_OTLP_HEADERS
    expect(read('X-Key=a%20b%2Cc, tenant=x+y&z=')).toEqual({ 'x-key': 'a b,c', tenant: 'x+y&z=' })
    for (const wrong of ['key', '=value', 'a b=c'])
      expect(() => read(wrong)).toThrow('OTEL_EXPORTER_OTLP_HEADERS must be headers like name=value')
    expect(() => readSettings({ OTEL_TRACES_SAMPLER_ARG: '1.5' })).toThrow('OTEL_TRACES_SAMPLER_ARG must be')
  })

  test('values are read into their types', () => {
    const given = {
      PORT: '0',
      PARLEY_SAMPLE: 'off',
      PUBLIC_URL: 'https://p.example/',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    }
    expect(readSettings(given)).toMatchObject({
      PORT: 0,
      PARLEY_SAMPLE: false,
      PUBLIC_URL: 'https://p.example',
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
    })
  })
})
