import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { validate as validateStatefulSet } from 'kubernetes-models/_schemas/IoK8sApiAppsV1StatefulSet'
import { validate as validateConfigMap } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap'
import { validate as validateService } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service'
import { validate as validateServiceAccount } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ServiceAccount'
import { validate as validateIngress } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress'
import { validate as validateNetworkPolicy } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy'
import { validate as validatePodDisruptionBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments, parse as parseYaml } from 'yaml'
import { readGatewaySettings } from '#gateway/settings.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject, objectOf, objectsOf } from '#schemas/json.ts'
import { settingNames } from '#schemas/settings.ts'
import { chartTemplate, chartValues, deployed, type KubernetesObject, overlay, renderChart } from './deployment.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OVERLAYS = ['one', 'cluster']

const SCHEMAS: Readonly<Record<string, (object: unknown) => boolean>> = {
  ConfigMap: validateConfigMap,
  Ingress: validateIngress,
  NetworkPolicy: validateNetworkPolicy,
  PodDisruptionBudget: validatePodDisruptionBudget,
  Service: validateService,
  ServiceAccount: validateServiceAccount,
  StatefulSet: validateStatefulSet,
}

/** Validates an object, and returns the members that its schema never looks at: unknown ones pass. */
const unread = (object: KubernetesObject): readonly string[] => {
  const read = new Set<string>()
  const watched = (value: unknown, path: string): unknown => {
    if (!isObject(value) && !Array.isArray(value)) return value
    return new Proxy(value as object, {
      get(target, name) {
        const member = Reflect.get(target, name)
        if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return member
        read.add(`${path}/${name}`)
        return watched(member, `${path}/${name}`)
      },
    })
  }
  const validate = SCHEMAS[object.kind]
  if (validate === undefined) throw new Error(`no schema of ${object.kind}`)
  const isValid = validate(watched(object, ''))
  expect(isValid, JSON.stringify((validate as { errors?: unknown }).errors)).toBe(true)
  const paths = (value: unknown, path: string): readonly string[] =>
    isObject(value) || Array.isArray(value)
      ? Object.entries(value as object).flatMap(([name, member]) => [
          `${path}/${name}`,
          ...paths(member, `${path}/${name}`),
        ])
      : []
  return paths(object, '').filter(path => !read.has(path))
}

const of = (objects: readonly KubernetesObject[], kind: string): KubernetesObject => {
  const [found] = objects.filter(object => object.kind === kind)
  if (found === undefined) throw new Error(`there is no ${kind}`)
  return found
}
const podOf = (objects: readonly KubernetesObject[]) =>
  objectOf(objectOf(objectOf(of(objects, 'StatefulSet').spec).template).spec)
const containerOf = (objects: readonly KubernetesObject[]) => objectsOf(podOf(objects).containers)[0] ?? {}
const settingsIn = (objects: readonly KubernetesObject[]) => objectOf(of(objects, 'ConfigMap').data)
const sorted = (objects: readonly KubernetesObject[]) =>
  objects.toSorted((one, other) =>
    JSON.stringify([one.kind, one.metadata]) < JSON.stringify([other.kind, other.metadata]) ? -1 : 1,
  )

describe.each(OVERLAYS)('the overlay %s', name => {
  const objects = overlay(name)

  test('has objects that Kubernetes takes, without unknown members [P-2604]', () => {
    expect(objects.map(({ kind }) => kind).sort()).toEqual([...Object.keys(SCHEMAS), 'Service'].sort())
    for (const object of objects) expect(unread(object), object.kind).toEqual([])
    const misspelled = {
      ...of(objects, 'StatefulSet'),
      spec: { ...objectOf(of(objects, 'StatefulSet').spec), replica: 2 },
    }
    expect(unread(misspelled)).toEqual(['/spec/replica'])
  })

  test('is what kubectl builds, where that is installed [P-2604]', () => {
    const built = spawnSync('kubectl', ['kustomize', join(ROOT, 'deploy/kubernetes/overlays', name)], {
      encoding: 'utf8',
    })
    if (built.error !== undefined) return
    expect(built.stderr).toBe('')
    const made = parseAllDocuments(built.stdout).map(document => document.toJSON() as KubernetesObject)
    expect(sorted(made)).toEqual(sorted(objects))
  })

  test('runs without privileges, writes to its volumes alone, and gets no token [P-2605]', () => {
    const pod = podOf(objects)
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 35,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(of(objects, 'ServiceAccount').automountServiceAccountToken).toBe(false)
    const container = containerOf(objects)
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    // Without them the Service `parley` gives a pod variables such as PARLEY_PORT.
    expect(pod.enableServiceLinks).toBe(false)
    for (const { name, emptyDir } of objectsOf(pod.volumes))
      if (emptyDir !== undefined) expect(objectOf(emptyDir).sizeLimit, String(name)).toMatch(/^\d+[MG]i$/u)
    const places = objectsOf(container.volumeMounts).map(({ mountPath }) => mountPath)
    expect(places.sort()).toEqual(['/app/.cache', '/data', '/run/secrets/parley', '/tmp'])
    expect(objectOf(container.lifecycle)).toEqual({ preStop: { exec: { command: ['sleep', '5'] } } })
  })

  test('spreads gateways over machines, lets a machine be emptied, and ends within its grace [P-2795]', () => {
    const pod = podOf(objects)
    const [spread = {}] = objectsOf(pod.topologySpreadConstraints)
    expect(spread).toMatchObject({ topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' })
    const labels = { matchLabels: { 'app.kubernetes.io/name': 'parley' } }
    expect(spread.labelSelector).toEqual(labels)
    expect(of(objects, 'PodDisruptionBudget').spec).toEqual({
      ...{ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      selector: labels,
    })
    // Started together, replaced one by one, each under its own name.
    expect(of(objects, 'StatefulSet').spec).toMatchObject({
      ...{ podManagementPolicy: 'Parallel', updateStrategy: { type: 'RollingUpdate' } },
      ...{ replicas: name === 'one' ? 1 : 3, serviceName: 'parley-nodes' },
    })
    const nodes = objects.find(({ kind, metadata }) => kind === 'Service' && objectOf(metadata).name === 'parley-nodes')
    expect(objectOf(nodes?.spec).clusterIP).toBe('None')
    const source = readFileSync(join(ROOT, 'gateway/run-gateway.ts'), 'utf8')
    const drain = Number(/DRAIN_MS = ([\d_]+)/u.exec(source)?.[1]?.replaceAll('_', '')) / 1000
    const { command } = objectOf(objectOf(objectOf(containerOf(objects).lifecycle).preStop).exec)
    const pause = Number((command as string[])[1])
    expect(Number(pod.terminationGracePeriodSeconds)).toBeGreaterThanOrEqual(pause + drain)
    expect(Number(settingsIn(objects).DRAIN_SECONDS)).toBeLessThan(drain)
  })

  test('calls no address where clouds give credentials, and shows its figures to no network [P-2796]', () => {
    const [all = {}, allV6 = {}, pods = {}] = objectsOf(
      objectsOf(objectOf(of(objects, 'NetworkPolicy').spec).egress)[0]?.to,
    )
    // Cilium matches no pod, and so no DNS, by an address.
    expect(pods).toEqual({ namespaceSelector: {} })
    const except = (block: JsonObject) => new Set(objectOf(block.ipBlock).except as string[])
    for (const address of ['169.254.169.254/32', '169.254.170.2/32', '100.100.100.200/32'])
      expect(except(all), address).toContain(address)
    expect(except(allV6)).toContain('fd00:ec2::254/128')
    // Behind a balancer that hides addresses every caller comes from the network of the machines.
    expect(settingsIn(objects).METRICS_ALLOW).toBe('')
    expect(String(settingsIn(objects).EVENTSTORE_URL)).not.toContain('tls=false')
  })

  test('leaves room for the memory that a gateway may take [P-2605]', () => {
    const { requests, limits } = objectOf(containerOf(objects).resources)
    const MIB = 1_048_576
    const bytes = (text: unknown) => Number(String(text).slice(0, -2)) * MIB * (String(text).endsWith('Gi') ? 1024 : 1)
    const figures = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8')
    // Of the newest month: | P8 | what | target | before | measured |
    const measured = (what: string) =>
      Number(new RegExp(`\\| P8 \\| ${what} (?:\\|[^|]*){2}\\| ([\\d,]+) MB`).exec(figures)?.[1]?.replace(',', '')) *
      1_000_000
    // Three more than WORK_PROCESSES may start, each of some 60 MB.
    const processes = (Number(settingsIn(objects).WORK_PROCESSES) + 3) * 60_000_000
    expect(bytes(objectOf(limits).memory)).toBeGreaterThan(
      measured('memory, 1,000 open rooms of 100 blocks') + processes,
    )
    expect(bytes(objectOf(requests).memory)).toBeGreaterThan(
      measured('memory, idle with a million stored events') + 60_000_000,
    )
  })

  test('has a value for each setting, and settings with which a gateway starts [P-2606]', () => {
    const settings = settingsIn(objects)
    const given = new Set(Object.keys(settings))
    const known = new Set<string>(settingNames.flatMap(setting => [setting, `${setting}_FILE`]))
    expect(settingNames.filter(setting => !given.has(setting) && !given.has(`${setting}_FILE`))).toEqual([])
    expect([...given].filter(setting => !known.has(setting))).toEqual([])
    for (const secret of [
      'PARLEY_KEY',
      'PARLEY_ADMIN_PASSWORD',
      'METABASE_SECRET',
      'OIDC_CLIENT_SECRET',
      'METRICS_TOKEN',
    ])
      expect(given.has(secret), secret).toBe(false)
    const { PARLEY_KEY_FILE: _key, PARLEY_ADMIN_PASSWORD_FILE: _password, ...rest } = settings
    const read = readGatewaySettings({ ...(rest as Record<string, string>), PARLEY_KEY: 'key' })
    expect(read).toMatchObject({ HOST: '0.0.0.0', PORT: 3000, PARLEY_DATA: '/data', PARLEY_SAMPLE: false })
    expect(read.EVENTSTORE_URL === undefined).toBe(name === 'one')
    // The readiness is asked often enough for a gateway that leaves to be seen.
    expect(read.DRAIN_SECONDS).toBeGreaterThan(Number(objectOf(containerOf(objects).readinessProbe).periodSeconds) * 2)
  })

  test('leads its host to the gateways, and keeps people with theirs [P-2606]', () => {
    const spec = objectOf(of(objects, 'Ingress').spec)
    const [rule] = objectsOf(spec.rules)
    expect(`https://${rule?.host}`).toBe(settingsIn(objects).PUBLIC_URL)
    expect(objectsOf(spec.tls)[0]?.hosts).toEqual([rule?.host])
    const annotations = objectOf(objectOf(of(objects, 'Ingress').metadata).annotations)
    const prefix = 'nginx.ingress.kubernetes.io'
    expect(annotations).toMatchObject({
      [`${prefix}/affinity`]: 'cookie',
      [`${prefix}/session-cookie-name`]: 'parley_node',
      [`${prefix}/proxy-body-size`]: '64m',
    })
    const labels = { 'app.kubernetes.io/name': 'parley' }
    for (const { kind, spec } of objects) if (kind === 'Service') expect(objectOf(spec).selector).toEqual(labels)
    expect(objectOf(objectOf(objectOf(of(objects, 'StatefulSet').spec).template).metadata).labels).toEqual(labels)
  })
})

describe('the chart', () => {
  const values = chartValues()
  const schema = JSON.parse(deployed('helm/parley/values.schema.json')) as JsonObject
  const isValid = new Ajv({ allErrors: true }).compile(schema)

  test('renders the objects of both overlays [P-2607]', () => {
    expect(sorted(renderChart(chartTemplate(), values))).toEqual(sorted(overlay('one')))
    const { EVENTSTORE_URL, NATS_URL, STORAGE_URL } = settingsIn(overlay('cluster'))
    const cluster = {
      ...{
        ...values,
        replicas: 3,
        eventstore: { url: EVENTSTORE_URL },
        nats: { url: NATS_URL },
        storage: { url: STORAGE_URL },
      },
    } as JsonObject
    expect(isValid(cluster), JSON.stringify(isValid.errors)).toBe(true)
    expect(sorted(renderChart(chartTemplate(), cluster))).toEqual(sorted(overlay('cluster')))
  })

  test('renders neither ingress nor network policy where they are off, and a class of storage where one is named', () => {
    const off = { ...objectOf(values.ingress), enabled: false }
    const quiet = { ...objectOf(values.networkPolicy), enabled: false }
    const persistence = { size: '20Gi', storageClassName: 'fast' }
    const objects = renderChart(chartTemplate(), { ...values, ingress: off, networkPolicy: quiet, persistence })
    expect(objects.map(({ kind }) => kind)).not.toContain('Ingress')
    expect(objects.map(({ kind }) => kind)).not.toContain('NetworkPolicy')
    const [claim] = objectsOf(objectOf(of(objects, 'StatefulSet').spec).volumeClaimTemplates)
    expect(objectOf(claim).spec).toMatchObject({
      storageClassName: 'fast',
      resources: { requests: { storage: '20Gi' } },
    })
  })

  test('has values of its schema, which refuses wrong ones [P-2608]', () => {
    expect(isValid(values), JSON.stringify(isValid.errors)).toBe(true)
    for (const wrong of [
      { ...values, replica: 1 },
      { ...values, replicas: 0 },
      { ...values, settings: { ...objectOf(values.settings), PORT: 3000 } },
      { ...values, settings: { ...objectOf(values.settings), EVENTSTORE_URL: 'esdb://store' } },
      { ...values, eventstore: { url: 'http://store' } },
      { ...values, existingSecret: '' },
      // Several gateways of an embedded store, or with files of their own.
      { ...values, replicas: 2 },
      { ...values, replicas: 2, eventstore: { url: 'esdb://store' } },
    ])
      expect(isValid(wrong), JSON.stringify(wrong).slice(0, 60)).toBe(false)
  })

  test('takes no secret as a plain setting, and addresses of shared stores from files [P-2608]', () => {
    const settings = objectOf(values.settings)
    const secrets = Object.keys(settings).flatMap(name =>
      (settingNames as string[]).filter(one => name === `${one}_FILE`),
    )
    expect(secrets).toContain('PARLEY_KEY')
    for (const name of secrets)
      expect(isValid({ ...values, settings: { ...settings, [name]: 'a secret' } }), name).toBe(false)
    const files = {
      EVENTSTORE_URL_FILE: '/run/secrets/parley/EVENTSTORE_URL',
      STORAGE_URL_FILE: '/run/secrets/parley/STORAGE_URL',
    }
    expect(isValid({ ...values, replicas: 2, settings: { ...settings, ...files } })).toBe(true)
  })

  test('is of this version, and says how to read the first password [P-2608]', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    expect(parseYaml(deployed('helm/parley/Chart.yaml'))).toMatchObject({
      apiVersion: 'v2',
      name: 'parley',
      appVersion: version,
    })
    expect(objectOf(values.image).tag).toBe(version)
    expect(deployed('helm/parley/templates/NOTES.txt')).toContain('PARLEY_ADMIN_PASSWORD')
  })
})
