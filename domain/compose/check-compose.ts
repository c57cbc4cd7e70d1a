import { z } from 'zod'
import { readYaml } from '#domain/yaml.ts'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'

/** The compose file format, version 3 (docs.docker.com/reference/compose-file/legacy-versions). Keys that begin with x- are taken out before. */

const scalar = z.union([z.string(), z.number(), z.boolean()])
const text = z.string()
const count = z.union([z.number(), z.string()])
const texts = z.array(z.string())
/** A list of `KEY=value`, or a mapping. */
const pairs = z.union([texts, z.record(z.string(), scalar.nullable())])
const command = z.union([z.string(), texts])
/** `1m30s`. */
const period = z.union([z.string().regex(/^(?:\d+(?:\.\d+)?(?:us|ms|s|m|h))+$/), z.literal(0)])
const textOrTexts = z.union([z.string(), texts])

const port = z.union([
  z.number().int().min(0).max(65_535),
  z.string().regex(/^[\d.:[\]a-fA-F-]+(?:\/(?:tcp|udp|sctp))?$/),
  z.strictObject({
    target: z.number().int(),
    published: z.union([z.number().int(), z.string()]).optional(),
    protocol: z.enum(['tcp', 'udp', 'sctp']).optional(),
    mode: z.enum(['host', 'ingress']).optional(),
  }),
])

const mount = z.union([
  z.string(),
  z.strictObject({
    type: z.enum(['volume', 'bind', 'tmpfs', 'npipe']),
    source: text.optional(),
    target: text,
    read_only: z.boolean().optional(),
    consistency: text.optional(),
    bind: z.strictObject({ propagation: text.optional() }).optional(),
    volume: z.strictObject({ nocopy: z.boolean().optional() }).optional(),
    tmpfs: z.strictObject({ size: count.optional() }).optional(),
  }),
])

/** Of configs and secrets in a service. */
const grant = z.union([
  z.string(),
  z.strictObject({
    source: text,
    target: text.optional(),
    uid: text.optional(),
    gid: text.optional(),
    mode: z.number().optional(),
  }),
])

const build = z.union([
  z.string(),
  z.strictObject({
    context: text.optional(),
    dockerfile: text.optional(),
    args: pairs.optional(),
    cache_from: texts.optional(),
    labels: pairs.optional(),
    network: text.optional(),
    shm_size: count.optional(),
    target: text.optional(),
  }),
])

const resources = z.strictObject({
  cpus: count.optional(),
  memory: text.optional(),
  pids: z.number().int().optional(),
})

const updates = z.strictObject({
  parallelism: z.number().int().optional(),
  delay: period.optional(),
  failure_action: text.optional(),
  monitor: period.optional(),
  max_failure_ratio: z.number().optional(),
  order: z.enum(['start-first', 'stop-first']).optional(),
})

const deploy = z.strictObject({
  mode: z.enum(['global', 'replicated']).optional(),
  endpoint_mode: z.enum(['vip', 'dnsrr']).optional(),
  replicas: z.number().int().min(0).optional(),
  labels: pairs.optional(),
  update_config: updates.optional(),
  rollback_config: updates.optional(),
  resources: z.strictObject({ limits: resources.optional(), reservations: resources.optional() }).optional(),
  restart_policy: z
    .strictObject({
      condition: z.enum(['none', 'on-failure', 'any']).optional(),
      delay: period.optional(),
      max_attempts: z.number().int().min(0).optional(),
      window: period.optional(),
    })
    .optional(),
  placement: z
    .strictObject({
      constraints: texts.optional(),
      preferences: z.array(z.strictObject({ spread: text })).optional(),
      max_replicas_per_node: z.number().int().optional(),
    })
    .optional(),
})

const healthcheck = z.strictObject({
  test: command.optional(),
  interval: period.optional(),
  timeout: period.optional(),
  retries: z.number().int().min(0).optional(),
  start_period: period.optional(),
  disable: z.boolean().optional(),
})

const ulimit = z.union([z.number().int(), z.strictObject({ soft: z.number().int(), hard: z.number().int() })])

const serviceNetworks = z.union([
  texts,
  z.record(
    z.string(),
    z
      .strictObject({ aliases: texts.optional(), ipv4_address: text.optional(), ipv6_address: text.optional() })
      .nullable(),
  ),
])

const service = z.strictObject({
  build: build.optional(),
  cap_add: texts.optional(),
  cap_drop: texts.optional(),
  cgroup_parent: text.optional(),
  command: command.nullable().optional(),
  configs: z.array(grant).optional(),
  container_name: text.optional(),
  credential_spec: z.record(z.string(), z.string()).optional(),
  depends_on: texts.optional(),
  deploy: deploy.optional(),
  devices: texts.optional(),
  dns: textOrTexts.optional(),
  dns_search: textOrTexts.optional(),
  domainname: text.optional(),
  entrypoint: command.nullable().optional(),
  env_file: textOrTexts.optional(),
  environment: pairs.optional(),
  expose: z.array(count).optional(),
  external_links: texts.optional(),
  extra_hosts: pairs.optional(),
  healthcheck: healthcheck.optional(),
  hostname: text.optional(),
  image: text.optional(),
  init: z.boolean().optional(),
  ipc: text.optional(),
  isolation: text.optional(),
  labels: pairs.optional(),
  links: texts.optional(),
  logging: z
    .strictObject({ driver: text.optional(), options: z.record(z.string(), scalar.nullable()).optional() })
    .optional(),
  mac_address: text.optional(),
  network_mode: text.optional(),
  networks: serviceNetworks.optional(),
  pid: text.nullable().optional(),
  ports: z.array(port).optional(),
  privileged: z.boolean().optional(),
  read_only: z.boolean().optional(),
  restart: z.union([z.enum(['no', 'always', 'unless-stopped']), z.string().regex(/^on-failure(?::\d+)?$/)]).optional(),
  secrets: z.array(grant).optional(),
  security_opt: texts.optional(),
  shm_size: count.optional(),
  stdin_open: z.boolean().optional(),
  stop_grace_period: period.optional(),
  stop_signal: text.optional(),
  sysctls: pairs.optional(),
  tmpfs: textOrTexts.optional(),
  tty: z.boolean().optional(),
  ulimits: z.record(z.string(), ulimit).optional(),
  user: text.optional(),
  userns_mode: text.optional(),
  volumes: z.array(mount).optional(),
  working_dir: text.optional(),
})

const external = z.union([z.boolean(), z.strictObject({ name: text.optional() })])

const network = z.strictObject({
  name: text.optional(),
  driver: text.optional(),
  driver_opts: z.record(z.string(), count).optional(),
  attachable: z.boolean().optional(),
  external: external.optional(),
  internal: z.boolean().optional(),
  ipam: z
    .strictObject({
      driver: text.optional(),
      config: z.array(z.strictObject({ subnet: text.optional(), gateway: text.optional() })).optional(),
    })
    .optional(),
  labels: pairs.optional(),
})

const volume = z.strictObject({
  name: text.optional(),
  driver: text.optional(),
  driver_opts: z.record(z.string(), count).optional(),
  external: external.optional(),
  labels: pairs.optional(),
})

/** Of configs and secrets of the file. */
const content = z.strictObject({
  name: text.optional(),
  file: text.optional(),
  external: external.optional(),
  labels: pairs.optional(),
})

const named = <T extends z.ZodType>(schema: T) => z.record(z.string().regex(/^[a-zA-Z0-9._-]+$/), schema)

/** Services have at least one entry; other sections may be empty. */
const composeSchema = z.strictObject({
  version: z.union([z.string(), z.number()]).optional(),
  services: named(service),
  networks: named(network.nullable()).nullable().optional(),
  volumes: named(volume.nullable()).nullable().optional(),
  configs: named(content).nullable().optional(),
  secrets: named(content).nullable().optional(),
})

type ComposeFile = z.output<typeof composeSchema>

/** A fault at one place of a compose file. */
interface ComposeFault {
  /** From 1. */
  readonly line: number
  readonly column: number
  /** Dotted: `services.web.ports.0`; empty for the whole file. */
  readonly path: string
  readonly code: 'syntax' | 'alias' | 'version' | 'services' | 'unknown' | 'type' | 'image' | 'reference'
  /** Message of the YAML parser. */
  readonly text?: string
}

interface ComposeCheck {
  readonly valid: boolean
  /** In the order of the file. */
  readonly errors: readonly ComposeFault[]
}

const MAX_ERRORS = 50
/** Aliases may repeat at most this many nodes: a few lines can expand to billions. */
const MAX_ALIASES = 100

type Path = readonly PropertyKey[]
type Found = Pick<ComposeFault, 'code'> & { readonly path: Path }

/** The file without extensions (`x-…`) at the top level and in the entries of each section. */
const withoutExtensions = (value: unknown, depth = 3): unknown =>
  isObject(value) && depth > 0
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => !key.startsWith('x-'))
          .map(([key, child]) => [key, withoutExtensions(child, depth - 1)]),
      )
    : value

/** Reports the deepest issue of a union: its alternative fits best. */
const deepest = (issue: z.core.$ZodIssue): z.core.$ZodIssue => {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors
    .flat()
    .map(one => deepest({ ...one, path: [...issue.path, ...one.path] } as z.core.$ZodIssue))
  return inner.reduce((best, one) => (one.path.length > best.path.length ? one : best), issue as z.core.$ZodIssue)
}

const foundIn = (issue: z.core.$ZodIssue): readonly Found[] => {
  const best = deepest(issue)
  if (best.code === 'unrecognized_keys') return best.keys.map(key => ({ code: 'unknown', path: [...best.path, key] }))
  const [section, ...rest] = best.path
  return [{ code: section === 'services' && rest.length === 0 ? 'services' : 'type', path: best.path }]
}

/** Names that a section of a service gives: a list of them, or the keys of a mapping. */
const namesIn = (value: unknown): readonly (readonly [at: PropertyKey, name: string])[] => {
  if (Array.isArray(value))
    return value.flatMap((one, at) => {
      const name = isObject(one) ? one.source : one
      return typeof name === 'string' ? [[at, name] as const] : []
    })
  return isObject(value) ? Object.keys(value).map(key => [key, key] as const) : []
}

/** Of a mount `name:/path`, the name of the volume; undefined for a folder of the machine. */
const volumeOf = (mount: unknown): string | undefined => {
  if (isObject(mount)) return mount.type === 'volume' && typeof mount.source === 'string' ? mount.source : undefined
  const [source = '', target] = String(mount).split(':')
  return target !== undefined && /^[a-zA-Z0-9][\w.-]*$/.test(source) ? source : undefined
}

const referenceFaults = (file: ComposeFile): readonly Found[] =>
  Object.entries(file.services).flatMap(([service, declared]) => {
    const at = ['services', service]
    const missing = (section: string, names: readonly (readonly [PropertyKey, string])[], known: object | null = {}) =>
      names
        .filter(([, name]) => name !== 'default' && !Object.hasOwn(known ?? {}, name))
        .map(([index]): Found => ({ code: 'reference', path: [...at, section, index] }))
    const volumes = (declared.volumes ?? []).flatMap((mount, index) => {
      const name = volumeOf(mount)
      return name === undefined ? [] : [[index, name] as const]
    })
    return [
      ...(declared.image === undefined && declared.build === undefined ? [{ code: 'image', path: at } as const] : []),
      ...missing('depends_on', namesIn(declared.depends_on), file.services),
      ...missing('networks', namesIn(declared.networks), file.networks),
      ...missing('configs', namesIn(declared.configs), file.configs),
      ...missing('secrets', namesIn(declared.secrets), file.secrets),
      ...missing('volumes', volumes, file.volumes),
    ]
  })

const faultsIn = (value: unknown): readonly Found[] => {
  if (!isObject(value)) return [{ code: 'services', path: [] }]
  const version = value.version
  const isThird = version === undefined || /^3(?:\.\d{1,2})?$/.test(String(version))
  const wrongVersion: readonly Found[] = isThird ? [] : [{ code: 'version', path: ['version'] }]
  const parsed = composeSchema.safeParse(withoutExtensions(value))
  if (!parsed.success) return [...wrongVersion, ...parsed.error.issues.flatMap(foundIn)]
  if (Object.keys(parsed.data.services).length === 0) return [...wrongVersion, { code: 'services', path: ['services'] }]
  return [...wrongVersion, ...referenceFaults(parsed.data)]
}

/** Checks the text of a docker compose file of version 3. It never throws. */
export const checkCompose = (source: string): ComposeCheck => {
  const { document, lines } = readYaml(source)
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  if (document.errors.length > 0) {
    const errors = document.errors.slice(0, MAX_ERRORS).map(({ pos, message }): ComposeFault => {
      const [text = ''] = message.split(' at line')
      return { ...placeAt(pos[0]), path: '', code: 'syntax', text: text.slice(0, 200) }
    })
    return { valid: false, errors }
  }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch {
    return { valid: false, errors: [{ line: 1, column: 1, path: '', code: 'alias' }] }
  }
  /** Of the deepest part of the path that the file has. */
  const offsetOf = (path: Path): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length), true)
      if (isObject(node) && Array.isArray(node.range)) return Number(node.range[0])
    }
    return 0
  }
  const errors = faultsIn(value)
    .slice(0, MAX_ERRORS)
    .map(({ code, path }): ComposeFault => ({ ...placeAt(offsetOf(path)), path: path.map(String).join('.'), code }))
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
  return { valid: errors.length === 0, errors }
}

/** The check of a field's value as it is kept; null without a file. */
export const composeChecked = (source: Json | undefined): Json => {
  if (typeof source !== 'string' || source.trim() === '') return null
  const { valid, errors } = checkCompose(source)
  return { valid, errors: errors.map(fault => ({ ...fault })) }
}
