import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments, stringify } from 'yaml'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url))

export const deployed = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8')

export interface KubernetesObject extends JsonObject {
  readonly kind: string
}

const documents = (text: string): readonly KubernetesObject[] =>
  parseAllDocuments(text).map(document => {
    const [error] = document.errors
    if (error !== undefined) throw error
    return document.toJSON() as KubernetesObject
  })

interface Patch {
  readonly target: { readonly kind: string }
  readonly patch: string
}

/** Replaces the value at a JSON pointer, which must exist. */
const replaceAt = (object: JsonObject, pointer: string, value: Json): void => {
  const names = pointer.split('/').slice(1)
  const last = names.pop() ?? ''
  const holder = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], object)
  if (!Object.hasOwn(holder as object, last)) throw new Error(`there is no ${pointer}`)
  Object.assign(holder as object, { [last]: value })
}

/** The objects of an overlay, whose patches only replace. `kubectl kustomize` is compared with it where it is installed. */
export const overlay = (name: string): readonly KubernetesObject[] => {
  const folder = `kubernetes/overlays/${name}`
  const { resources, patches } = parse(deployed(`${folder}/kustomization.yaml`)) as {
    readonly resources: readonly string[]
    readonly patches: readonly Patch[]
  }
  if (resources.join() !== '../../base') throw new Error(`${folder} has other resources`)
  const objects = documents(deployed('kubernetes/base/parley.yaml'))
  for (const { target, patch } of patches) {
    const object = objects.find(({ kind }) => kind === target.kind)
    if (object === undefined) throw new Error(`there is no ${target.kind}`)
    for (const { op, path, value } of parse(patch) as { op: string; path: string; value: Json }[]) {
      if (op !== 'replace') throw new Error(`${op} is no known operation`)
      replaceAt(object, path, value)
    }
  }
  return objects
}

const valueAt = (values: JsonObject, path: string): Json =>
  path.split('.').reduce<Json>((at, name) => {
    const next = isObject(at) ? at[name] : undefined
    if (next === undefined) throw new Error(`values.yaml has no ${path}`)
    return next
  }, values)

const block = (value: Json, indent: number): string =>
  stringify(value)
    .trimEnd()
    .split('\n')
    .map(line => `${' '.repeat(indent)}${line}`)
    .join('\n')

const ACTION = /\{\{-? *(.*?) *-?\}\}/
const inline = (line: string, values: JsonObject): string =>
  line.replaceAll(/\{\{ \.Values\.([\w.]+)( \| quote)? \}\}/g, (_, path: string, quoted?: string) => {
    const value = valueAt(values, path)
    return quoted === undefined ? String(value) : JSON.stringify(String(value))
  })

/** Renders the part of Helm's language that the chart uses: `.Values`, `quote`, `if` and `toYaml … | nindent`. */
export const renderChart = (template: string, values: JsonObject): readonly KubernetesObject[] => {
  const lines: string[] = []
  const shown: boolean[] = []
  for (const line of template.split('\n')) {
    const [action, inside = ''] = ACTION.exec(line) ?? []
    const isAlone = action !== undefined && line.trim() === action
    const [, condition] = /^if \.Values\.([\w.]+)$/.exec(inside) ?? []
    const [, path, indent] = /^toYaml \.Values\.([\w.]+) \| nindent (\d+)$/.exec(inside) ?? []
    if (isAlone && condition !== undefined) shown.push(Boolean(valueAt(values, condition)))
    else if (isAlone && inside === 'end') shown.pop()
    else if (shown.includes(false)) continue
    else if (isAlone && path !== undefined) lines.push(block(valueAt(values, path), Number(indent)))
    else lines.push(inline(line, values))
    const left = lines.at(-1) ?? ''
    if (left.includes('{{')) throw new Error(`not understood: ${left}`)
  }
  if (shown.length > 0) throw new Error('an if has no end')
  return documents(lines.join('\n'))
}

export const chartValues = (): JsonObject => parse(deployed('helm/parley/values.yaml')) as JsonObject

export const chartTemplate = (): string => deployed('helm/parley/templates/parley.yaml')
