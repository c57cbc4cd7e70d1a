import { z } from 'zod'

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

const wholeNumber = (min: number, max: number, initial: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(initial)
const flag = (initial: boolean) =>
  z
    .enum(['true', 'false'])
    .transform(value => value === 'true')
    .default(initial)
const httpUrl = () =>
  z
    .url({ protocol: /^https?$/ })
    .transform(value => value.replace(/(?<!\/)\/+$/, ''))
    .optional()
/** The address of a site whose pages are framed: without query, fragment or credentials. */
const frameUrl = () =>
  httpUrl().refine(value => {
    const url = value === undefined ? null : URL.parse(value)
    return url === null || (url.search === '' && url.hash === '' && url.username === '' && url.password === '')
  })
const ofForm = (pattern: RegExp) => z.string().regex(pattern)

/** Settings as the environment gives them, by their names in it; defaults where it gives none. */
export const settingsSchema = z.object({
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: ofForm(/^[\w.:%-]+$/).default('127.0.0.1'),
  PARLEY_DATA: z.string().min(1).default('./data'),
  PARLEY_ADMIN_PASSWORD: z.string().min(1).max(1024).optional(),
  PARLEY_SAMPLE: z
    .enum(['on', 'off'])
    .transform(value => value === 'on')
    .default(true),
  PARLEY_KEY: z.string().min(1).optional(),
  EVENTSTORE_URL: ofForm(/^(esdb|kurrentdb)(\+discover)?:\/\/.+/).optional(),
  NATS_URL: ofForm(/^((nats|tls):\/\/)?[^\s,/]+\/?(,\s*((nats|tls):\/\/)?[^\s,/]+\/?)*$/).optional(),
  INSTANCE_NAME: z.string().min(1).max(100).default('production'),
  THEME: z.enum(THEMES).default('production'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ALLOW_LEVEL1_DEFAULT_ACCESS: flag(false),
  SESSION_HOURS: wholeNumber(1, 8760, 12),
  LOGIN_ATTEMPTS: wholeNumber(1, 1000, 5),
  PUBLIC_URL: httpUrl(),
  TRUSTED_PROXIES: z
    .string()
    .transform(value => value.split(',').map(address => address.trim()))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
    .default([]),
  BOT_ROUTER_URL: httpUrl(),
  STORAGE_URL: ofForm(/^(file:|s3:\/\/).+/).optional(),
  METABASE_URL: frameUrl(),
  METABASE_SECRET: ofForm(/^[0-9a-f]{64}$/i).optional(),
  /** The Graph API of Meta with its version. */
  GRAPH_URL: httpUrl().default('https://graph.facebook.com/v23.0'),
  ALLOW_PRIVATE_ADDRESSES: flag(false),
  SEAL_EVENTS: wholeNumber(1, 5000, 5000),
  SEAL_MINUTES: wholeNumber(1, 1440, 10),
})

export type Settings = z.output<typeof settingsSchema>
