import { z } from 'zod'

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
export const composeSchema = z.strictObject({
  version: z.union([z.string(), z.number()]).optional(),
  services: named(service),
  networks: named(network.nullable()).nullable().optional(),
  volumes: named(volume.nullable()).nullable().optional(),
  configs: named(content).nullable().optional(),
  secrets: named(content).nullable().optional(),
})

export type ComposeFile = z.output<typeof composeSchema>
