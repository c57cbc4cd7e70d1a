import type { z } from 'zod'
import { readYaml } from '#domain/yaml.ts'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { type ComposeFile, composeSchema } from './compose-schema.ts'

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
