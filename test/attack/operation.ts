/** The served description of the API, as far as attacks are made from it. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface Described {
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly minItems?: number
  readonly maxLength?: number
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

/** One method of one path. */
export interface Operation {
  /** Upper case. */
  readonly method: string
  /** Below the API's base, with its parameters in braces. */
  readonly path: string
  /** Needs no session. */
  readonly open: boolean
  readonly described: Described
  readonly body: Schema | undefined
}

const BASE = '/botadmin/api'
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

export const isWrite = ({ method }: Operation): boolean => WRITES.has(method)

/** Every method of every path that the API describes. */
export const operationsOf = ({ paths }: Description): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path: path.slice(BASE.length),
      open: described.security?.length === 0,
      described,
      body: Object.values(described.requestBody?.content ?? {})[0]?.schema,
    })),
  )

/** Value of a member with this name; undefined: any that fits the schema. */
export type Choose = (name: string, schema: Schema) => unknown

const DEEPEST = 6

/** A value that a schema admits, with all members of an object for which something was chosen or that it demands. */
export const sampleOf = (description: Description, schema: Schema, choose: Choose, depth = 0): unknown => {
  const part = (inner: Schema) => sampleOf(description, inner, choose, depth + 1)
  const { $ref } = schema
  if ($ref !== undefined) return part(description.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const alternative = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0]
  if (alternative !== undefined) return part(alternative)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'object':
      return depth > DEEPEST ? {} : objectOf(description, schema, choose, depth)
    case 'array':
      return (schema.minItems ?? 0) > 0 ? [part(schema.items ?? {})] : []
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0)
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return textOf(schema)
  }
}

const objectOf = (description: Description, schema: Schema, choose: Choose, depth: number): object => {
  const required = new Set(schema.required)
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const chosen = choose(name, member)
      if (chosen !== undefined) return [[name, chosen]]
      return required.has(name) ? [[name, sampleOf(description, member, choose, depth + 1)]] : []
    }),
  )
}

const textOf = ({ format, pattern }: Schema): string => {
  if (format === 'email') return 'someone@example.com'
  if (format === 'uri') return 'https://example.com'
  if (pattern?.includes('https?:') === true) return 'https://example.com'
  if (pattern?.startsWith('^#') === true) return '#000000'
  if (pattern?.startsWith('^\\+') === true) return '+5511987654321'
  if (format === 'date-time') return '2026-01-01T00:00:00Z'
  if (pattern?.includes('\\d') !== true) return 'some text'
  // As many digits as are counted exactly: `\d{3}-?\d{3}` takes six.
  const counted = [...pattern.matchAll(/\\d\{(\d+)\}/g)].map(([, count]) => Number(count))
  return '1'.repeat(
    Math.max(
      1,
      counted.reduce((sum, count) => sum + count, 0),
    ),
  )
}
