import { z } from 'zod'
import {
  addresses,
  flag,
  frameUrl,
  headerOf,
  httpUrl,
  ofForm,
  onOrOff,
  PEM_CERTIFICATE,
  webUrl,
  wholeNumber,
} from './setting-kinds.ts'

const THEMES = [
  'theme1',
  'theme2',
  'theme3',
  'theme4',
  'theme5',
  'theme6',
  'theme7',
  'development',
  'preproduction',
  'production',
] as const

const MAIL_SERVER = /^smtps?:\/\/[^\s/?#]+\/?$/
/** An address, or a name and an address in angle brackets. */
const MAIL_SENDER =
  /^(?:[^\p{Cc}<>"]{1,100}<[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,189}>|[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,189})$/u

/** Sections of docs/settings.md, in their order. */
export const SETTING_GROUPS = [
  'Address',
  'Data',
  'Shared store',
  'Console',
  'Sign-in',
  'Mail',
  'Outside systems',
  'Limits',
  'Integrity',
  'Traces',
] as const

interface SettingNote {
  readonly group: (typeof SETTING_GROUPS)[number]
  /** Completes "NAME must be …". */
  readonly expected: string
  readonly meaning: string
  /** Shown where the schema has no default, or one that the environment writes in another way. */
  readonly shownDefault?: string
}

const notes = z.registry<SettingNote>()
const setting = <T extends z.ZodType>(schema: T, group: SettingNote['group'], note: Omit<SettingNote, 'group'>): T => {
  notes.add(schema, { group, ...note })
  return schema
}

const address = {
  PORT: setting(wholeNumber(0, 65_535, 3000), 'Address', {
    expected: 'a port from 0 to 65535',
    meaning: 'Port to listen on. `0` takes a free port; the start prints it.',
  }),
  HOST: setting(ofForm(/^[\w.:%-]+$/).default('127.0.0.1'), 'Address', {
    expected: 'a host name or address',
    meaning: 'Address to listen on. `0.0.0.0` listens on all addresses; a container needs it.',
  }),
  PUBLIC_URL: setting(httpUrl(), 'Address', {
    expected: 'an address like https://host',
    meaning: 'Address that browsers use. Needed behind a proxy.',
    shownDefault: 'the address it listens on',
  }),
  TRUSTED_PROXIES: setting(addresses(), 'Address', {
    expected: 'addresses or networks, separated by commas',
    meaning: 'Proxies whose `X-Forwarded-*` headers count.',
    shownDefault: 'none',
  }),
  BOT_ROUTER_URL: setting(httpUrl(), 'Address', {
    expected: 'an address like https://host',
    meaning:
      'Base address of bots: web chats, and the webhooks of channels and agents. Providers call public `https` addresses only.',
    shownDefault: '`PUBLIC_URL`',
  }),
}

const data = {
  PARLEY_DATA: setting(z.string().min(1).default('./data'), 'Data', {
    expected: 'a folder',
    meaning: 'Folder of all data. One gateway at a time may use it.',
  }),
  PARLEY_KEY: setting(z.string().min(1).optional(), 'Data', {
    expected: 'a key',
    meaning: 'Key of 32 bytes, in base64 or hexadecimal, that encrypts secrets and personal data.',
    shownDefault: 'generated, stored in `parley.key` in `PARLEY_DATA`',
  }),
  PARLEY_NEW_KEY: setting(z.string().min(1).optional(), 'Data', {
    expected: 'a key',
    meaning: 'Key that `npx parley key rotate` changes to where `PARLEY_KEY` is set. Nothing else reads it.',
    shownDefault: 'generated, printed once',
  }),
  STORAGE_URL: setting(ofForm(/^(file:|s3:\/\/).+/).optional(), 'Data', {
    expected: 'file:… or s3://…',
    meaning:
      'Place of uploaded files: a folder, `file:///folder`, or a bucket, `s3://bucket/prefix?region=…&endpoint=…`. A bucket needs `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. Gateways that share a store share this place too.',
    shownDefault: '`files/` in `PARLEY_DATA`',
  }),
  AWS_ACCESS_KEY_ID: setting(z.string().min(1).optional(), 'Data', {
    expected: 'the id of an access key',
    meaning: 'Access key for a bucket in `STORAGE_URL`.',
    shownDefault: 'none',
  }),
  AWS_SECRET_ACCESS_KEY: setting(z.string().min(1).optional(), 'Data', {
    expected: 'the secret of an access key',
    meaning: 'Secret of `AWS_ACCESS_KEY_ID`.',
    shownDefault: 'none',
  }),
  AWS_SESSION_TOKEN: setting(z.string().min(1).optional(), 'Data', {
    expected: 'a session token',
    meaning: 'Session of `AWS_ACCESS_KEY_ID`, if it is a temporary one.',
    shownDefault: 'none',
  }),
  WORK_PROCESSES: setting(
    z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(64))
      .optional(),
    'Data',
    {
      expected: 'a number from 1 to 64',
      meaning:
        'Processes in which expressions, scripts and patterns of bots run at one time. Three more may start for levels that would wait otherwise. Each takes some 60 MB.',
      shownDefault: 'processor cores − 1, at least 1',
    },
  ),
  PARLEY_SAMPLE: setting(onOrOff(true), 'Data', {
    expected: 'on or off',
    meaning: 'Fills an empty store with three sample bots and two months of their conversations.',
    shownDefault: '`on`',
  }),
  SIMULATED_NUMBERS: setting(onOrOff(true), 'Data', {
    expected: 'on or off',
    meaning: 'Offers simulated WhatsApp numbers, which write to invented people inside of the gateway.',
    shownDefault: '`on`',
  }),
}

const shared = {
  EVENTSTORE_URL: setting(ofForm(/^(esdb|kurrentdb)(\+discover)?:\/\/.+/).optional(), 'Shared store', {
    expected: 'an address like esdb://… or kurrentdb://…',
    meaning:
      'Stores events and wrapped keys in EventStoreDB 23.10 or KurrentDB. Needs `PARLEY_KEY`, and `STORAGE_URL` or `SINGLE_NODE`.',
    shownDefault: 'none: the embedded store',
  }),
  SINGLE_NODE: setting(onOrOff(false), 'Shared store', {
    expected: 'on or off',
    meaning:
      'States that one gateway alone uses `EVENTSTORE_URL`: its uploaded files and models may then stay in `PARLEY_DATA`.',
    shownDefault: '`off`',
  }),
  DRAIN_SECONDS: setting(wholeNumber(0, 15, 3), 'Shared store', {
    expected: 'a number from 0 to 15',
    meaning:
      'A gateway with `EVENTSTORE_URL` that receives a stop signal is not ready at once and accepts writes for this long, so that the proxy sends them elsewhere. At least the interval in which the proxy asks for `/health/ready`.',
  }),
  NATS_URL: setting(
    ofForm(/^((nats|tls):\/\/)?[^\s,/]+\/?(,\s*((nats|tls):\/\/)?[^\s,/]+\/?)*$/).optional(),
    'Shared store',
    {
      expected: 'server addresses like nats://host:4222 or tls://host:4222',
      meaning:
        'NATS servers, separated by commas, through which gateways show edits and cursors to each other at once. Needs `EVENTSTORE_URL`.',
      shownDefault: 'none',
    },
  ),
  NATS_CA: setting(ofForm(PEM_CERTIFICATE).optional(), 'Shared store', {
    expected: 'certificates in PEM',
    meaning: 'Authorities that sign the certificates of NATS servers, usually as `NATS_CA_FILE`. Demands TLS.',
    shownDefault: 'the authorities of Node.js',
  }),
  NATS_CLIENT_CERT: setting(ofForm(PEM_CERTIFICATE).optional(), 'Shared store', {
    expected: 'a certificate in PEM',
    meaning:
      'Certificate that the gateway shows to NATS servers, usually as `NATS_CLIENT_CERT_FILE`. Needs `NATS_CLIENT_KEY`. Demands TLS.',
    shownDefault: 'none',
  }),
  NATS_CLIENT_KEY: setting(ofForm(/-----BEGIN [A-Z ]*PRIVATE KEY-----/).optional(), 'Shared store', {
    expected: 'a private key in PEM, without a pass phrase',
    meaning: 'Private key of `NATS_CLIENT_CERT`, usually as `NATS_CLIENT_KEY_FILE`.',
    shownDefault: 'none',
  }),
  NATS_NKEY: setting(ofForm(/^SU[A-Z2-7]{56}$/).optional(), 'Shared store', {
    expected: 'the seed of an nkey of a user: SU…',
    meaning: 'Signs in to NATS with an nkey, usually as `NATS_NKEY_FILE`.',
    shownDefault: 'none',
  }),
  NATS_CREDS: setting(
    ofForm(/-----BEGIN NATS USER JWT-----[\s\S]+-----BEGIN USER NKEY SEED-----/).optional(),
    'Shared store',
    {
      expected: 'the content of a credentials file of NATS',
      meaning: 'Signs in to NATS with a JWT and its nkey, usually as `NATS_CREDS_FILE`.',
      shownDefault: 'none',
    },
  ),
}

const appearance = {
  INSTANCE_NAME: setting(z.string().min(1).max(100).default('production'), 'Console', {
    expected: 'a name of at most 100 characters',
    meaning: 'Name of this installation, shown on every page.',
  }),
  THEME: setting(z.enum(THEMES).default('production'), 'Console', {
    expected: 'theme1 … theme7, development, preproduction or production',
    meaning: 'Colors of the console.',
  }),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'Console',
    {
      expected: 'fatal, error, warn, info, debug, trace or silent',
      meaning: 'Lowest level of lines in the log.',
    },
  ),
}

const access = {
  PARLEY_ADMIN_PASSWORD: setting(z.string().min(1).max(1024).optional(), 'Sign-in', {
    expected: 'a password of at most 1024 characters',
    meaning: 'Password of `admin`. Used only while there is no user.',
    shownDefault: 'generated, printed once',
  }),
  SESSION_HOURS: setting(wholeNumber(1, 8760, 12), 'Sign-in', {
    expected: 'a number from 1 to 8760',
    meaning: 'Lifetime of a session, in hours.',
  }),
  LOGIN_ATTEMPTS: setting(wholeNumber(1, 1000, 5), 'Sign-in', {
    expected: 'a number from 1 to 1000',
    meaning: 'Failed sign-ins before a user is locked.',
  }),
  // Compared with the issuer of tokens: a slash at its end counts.
  OIDC_ISSUER: setting(webUrl().optional(), 'Sign-in', {
    expected: 'an address like https://host',
    meaning:
      'Issuer of an OpenID Connect provider that people sign in with. It may be on a private address. Needs `OIDC_CLIENT_ID`.',
    shownDefault: 'none',
  }),
  OIDC_CLIENT_ID: setting(z.string().min(1).max(500).optional(), 'Sign-in', {
    expected: 'a client id of at most 500 characters',
    meaning: 'Id of Parley at the provider of `OIDC_ISSUER`.',
    shownDefault: 'none',
  }),
  OIDC_CLIENT_SECRET: setting(z.string().min(1).max(4000).optional(), 'Sign-in', {
    expected: 'a secret of at most 4000 characters',
    meaning: 'Secret of `OIDC_CLIENT_ID`.',
    shownDefault: 'none: a public client',
  }),
  OIDC_ONLY: setting(flag(false), 'Sign-in', {
    expected: 'true or false',
    meaning:
      'Leaves the password form to administrators that are marked for emergencies. The gateway does not start without one.',
  }),
  ALLOW_LEVEL1_DEFAULT_ACCESS: setting(flag(false), 'Sign-in', {
    expected: 'true or false',
    meaning: 'Gives all permissions to users at the root of the levels.',
  }),
}

/** Mail goes out when both are given. */
const mail = {
  MAIL_URL: setting(
    ofForm(MAIL_SERVER)
      .refine(value => URL.canParse(value))
      .optional(),
    'Mail',
    {
      expected: 'an address like smtp://user:password@host:587 or smtps://user:password@host',
      meaning:
        'Mail server that sends the mail of the console. `smtp://` must offer STARTTLS, except on a loopback address. Needs `MAIL_FROM`; set `PUBLIC_URL` too, the base of links in mails.',
      shownDefault: 'none: no mail',
    },
  ),
  MAIL_FROM: setting(ofForm(MAIL_SENDER).optional(), 'Mail', {
    expected: 'an address like parley@example.com or Parley <parley@example.com>',
    meaning: 'Sender of mails. Needs `MAIL_URL`.',
    shownDefault: 'none',
  }),
}

const outside = {
  GRAPH_URL: setting(httpUrl().default('https://graph.facebook.com/v23.0'), 'Outside systems', {
    expected: 'an address like https://graph.facebook.com/v23.0',
    meaning: 'Graph API of Meta, with its version: campaigns, accounts, and channels without an address or version.',
  }),
  METABASE_URL: setting(frameUrl(), 'Outside systems', {
    expected: 'an address like https://host',
    meaning: 'Metabase, on another origin than the console. Reports need it together with `METABASE_SECRET`.',
    shownDefault: 'none',
  }),
  METABASE_SECRET: setting(ofForm(/^[0-9a-f]{64}$/i).optional(), 'Outside systems', {
    expected: 'the embedding secret of Metabase: 64 hexadecimal digits',
    meaning: 'Signs the addresses of embedded reports.',
    shownDefault: 'none',
  }),
  ALLOW_PRIVATE_ADDRESSES: setting(flag(false), 'Outside systems', {
    expected: 'true or false',
    meaning: 'Allows configured calls and tiny URLs to reach loopback and private addresses.',
  }),
}

const limit = (max: number, initial: number, meaning: string, min = 1) =>
  setting(wholeNumber(min, max, initial), 'Limits', { expected: `a number from ${min} to ${max}`, meaning })

/** Messages of one page of a chat: a limit below it would refuse every page. */
const MIN_READS = 200

/** Limits of calls that need no session. An IPv6 network of 64 bits counts as one address. */
const limits = {
  LIMIT_REQUESTS: limit(
    100_000,
    300,
    'Requests of one address in work at once. Proven providers are not counted here.',
  ),
  LIMIT_REQUESTS_BOT: limit(100_000, 1_000, 'Requests in work at once to one channel, and to one bot.'),
  LIMIT_REQUESTS_NODE: limit(100_000, 4_000, 'Requests in work at once on one node.'),
  LIMIT_BODY_MB: limit(10_000, 16, 'MB of request bodies that one address makes a node hold in memory at once.'),
  LIMIT_BODY_MB_BOT: limit(10_000, 32, 'The same of one channel, and of one bot.'),
  LIMIT_BODY_MB_NODE: limit(10_000, 64, 'The same of one node.'),
  LIMIT_BODY_SECONDS: limit(
    120,
    10,
    'A body that takes longer is closed. Uploads are closed when no byte arrives for 10 s.',
  ),
  LIMIT_MESSAGES: limit(
    1_000_000,
    60,
    'Messages a minute of one address. Raise it where many visitors share an address. Providers, servers with the secret of a channel and the REST channel are limited by LIMIT_MESSAGES_SENDER instead.',
  ),
  LIMIT_MESSAGES_SENDER: limit(
    1_000_000,
    60,
    'Messages a minute of one person on a channel, from any address. Opened conversations count too where a server opens them.',
  ),
  LIMIT_MESSAGES_BOT: limit(1_000_000, 6_000, 'Messages a minute to one channel, and to one bot.'),
  LIMIT_MESSAGES_NODE: limit(1_000_000, 30_000, 'Messages a minute on one node.'),
  LIMIT_READS: limit(
    100_000_000,
    60_000,
    'Messages a minute that one address reads of chats. Downloads of transcripts slow down instead of being refused.',
    MIN_READS,
  ),
  LIMIT_READS_BOT: limit(100_000_000, 600_000, 'The same of one channel, and of one bot.', MIN_READS),
  LIMIT_READS_NODE: limit(100_000_000, 600_000, 'The same of one node.', MIN_READS),
  LIMIT_CONVERSATIONS: limit(1_000_000, 120, 'Conversations that one address begins in a minute.'),
  LIMIT_CONVERSATIONS_BOT: limit(1_000_000, 1_200, 'Conversations begun in a minute on one channel, and with one bot.'),
  LIMIT_CONVERSATIONS_NODE: limit(1_000_000, 6_000, 'Conversations begun in a minute on one node.'),
  UPLOAD_MB: limit(100, 1, 'MB of one file that a person uploads in the console.'),
  UPLOAD_MB_CHAT: limit(100, 25, 'MB of one file that is sent to a chat.'),
  LIMIT_FILES: limit(1_000_000, 1_000, 'Files that one address sends in a day.'),
  LIMIT_FILES_BOT: limit(10_000_000, 20_000, 'Files sent in a day to one channel, and to one bot.'),
  LIMIT_FILE_MB: limit(1_000_000, 200, 'MB of files that one address sends in a day.'),
  LIMIT_FILE_MB_BOT: limit(1_000_000, 2_000, 'MB of files sent in a day to one channel, and to one bot.'),
  LIMIT_KEPT_MB_BOT: limit(
    100_000_000,
    10_000,
    'MB of files of chats that one bot keeps, on all nodes. Files go with their conversations.',
  ),
  LIMIT_CALLS_SESSION: limit(
    10_000_000,
    60_000,
    'Requests a minute of one session of the console, on one node. A sixth of them may come at once.',
  ),
  LIMIT_WRITES_SESSION: limit(10_000_000, 36_000, 'Of these, requests that write.'),
  LIMIT_CALLS_TOKEN: limit(
    10_000_000,
    600,
    'Requests a minute of one API token, on one node. A sixth of them may come at once.',
  ),
  LIMIT_WRITES_TOKEN: limit(10_000_000, 120, 'Of these, requests that write.'),
  LIMIT_CALLS_SCIM: limit(
    10_000_000,
    3_000,
    'SCIM requests a minute of one API token, on one node. A sixth of them may come at once.',
  ),
  LIMIT_FILE_MB_NODE: limit(10_000_000, 20_000, 'MB of files sent in a day to one node.'),
}

const monitoring = {
  METRICS_ALLOW: setting(addresses(), 'Address', {
    expected: 'addresses or networks, separated by commas',
    meaning: 'Callers that may read `/metrics` beside loopback.',
    shownDefault: 'none',
  }),
  METRICS_TOKEN: setting(z.string().min(16).max(500).optional(), 'Address', {
    expected: 'a token of at least 16 characters',
    meaning: 'Bearer token with which any caller may read `/metrics`.',
    shownDefault: 'none',
  }),
}

const integrity = {
  SEAL_EVENTS: setting(wholeNumber(1, 5000, 5000), 'Integrity', {
    expected: 'a number from 1 to 5000',
    meaning: 'The log is sealed against tampering after this many events.',
  }),
  SEAL_MINUTES: setting(wholeNumber(1, 1440, 10), 'Integrity', {
    expected: 'a number from 1 to 1440',
    meaning: 'The log is sealed after this many minutes if it has new events.',
  }),
}

const traces = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(httpUrl(), 'Traces', {
    expected: 'an address like http://host:4318, without name and password',
    meaning:
      'Receiver of traces: OTLP over HTTP, as JSON, at `/v1/traces` below this address. Without it there are no traces.',
    shownDefault: 'none',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    ofForm(/^[\w!#$%&'*+.^`|~-]+=[^\s,]+(,\s*[\w!#$%&'*+.^`|~-]+=[^\s,]+)*$/)
      .transform(text => Object.fromEntries(text.split(',').map(pair => headerOf(pair.trim()))))
      .optional(),
    'Traces',
    {
      expected: 'headers like name=value, separated by commas',
      meaning: 'Headers for the receiver, such as a key. Values are percent-encoded.',
      shownDefault: 'none',
    },
  ),
  OTEL_SERVICE_NAME: setting(z.string().min(1).max(100).default('parley'), 'Traces', {
    expected: 'a name of at most 100 characters',
    meaning: 'Name of this service in traces.',
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(
    z
      .string()
      .regex(/^(0|1|[01]?\.\d{1,9})$/)
      .transform(Number)
      .pipe(z.number().min(0).max(1))
      .default(0.05),
    'Traces',
    {
      expected: 'a number from 0 to 1',
      meaning: 'Share of traces that is sent. Traces with an error are always sent.',
    },
  ),
  OTEL_PROPAGATE_HOSTS: setting(
    z
      .string()
      .transform(value => value.split(',').map(each => each.trim().toLowerCase()))
      .pipe(z.array(ofForm(/^[\w.:-]+$/)))
      .default([]),
    'Traces',
    {
      expected: 'host names, separated by commas',
      meaning: 'Hosts that get the `traceparent` of calls to them.',
      shownDefault: 'none',
    },
  ),
}

/** Settings by the name of their environment variable. */
export const settingsSchema = z.object({
  ...address,
  ...data,
  ...shared,
  ...appearance,
  ...access,
  ...mail,
  ...outside,
  ...monitoring,
  ...limits,
  ...integrity,
  ...traces,
})

export type Settings = z.output<typeof settingsSchema>

export const settingNames = Object.keys(settingsSchema.shape) as (keyof Settings)[]

const VARIABLES = new Set<string>(settingNames.flatMap(name => [name, `${name}_FILE`]))

/** Environment of a worker: without settings, some of which are secrets. */
export const withoutSettings = (environment: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !VARIABLES.has(name)))

export const settingNote = (name: keyof Settings): SettingNote => {
  const note = notes.get(settingsSchema.shape[name])
  if (note === undefined) throw new Error(`${name} is declared without a note`)
  return note
}

/** The message is the one line to print before the process ends. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting'
}
