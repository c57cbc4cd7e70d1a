import { ENTITIES, type EntityName } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Field } from '#schemas/field/kind.ts'
import type { Answer } from '../api/harness.ts'
import { type Description, isWrite, type Operation, type Parameter, type Schema, sampleOf } from './operation.ts'
import { entityOf, isEntity } from './permission.ts'
import { type Attacker, bodyOf, type PlaceName, type World } from './world.ts'

/** Place of the named entity; `unknown`: no such entity. */
export type Target = PlaceName | 'unknown'

/** One operation as one person asks for it. */
export interface Asked {
  readonly attacker: Attacker
  readonly operation: Operation
  /** Place of the entity in the path. */
  readonly target: Target
  /** A member of body or query that names an entity of `tied`; others name entities of the home level. */
  readonly member?: string
  readonly tied?: Target
}

/** An id that nothing has, as long as others. */
export const UNKNOWN = '00000000-1111-4222-8333-444444444444'

export const idIn = ({ places }: World, target: Target, entity: string): string =>
  target === 'unknown' || !isEntity(entity) ? UNKNOWN : places[target].ids[entity]

/** Sends the request. To compare answers, replace the sent ids with `blanked`. */
export const send = async (world: World, description: Description, asked: Asked): Promise<Answer> => {
  const { attacker, operation } = asked
  const { method } = operation
  const path = pathOf(world, asked) + queryOf(world, description, asked)
  const headers: Record<string, string> = method === 'PATCH' ? { 'if-match': '"1"' } : {}
  if (path.includes('/upload')) {
    const form = new FormData()
    form.append('file', new Blob(['{}']), 'version.json')
    return attacker.client.send(method, path, { body: form })
  }
  if (!isWrite(operation)) return attacker.client.send(method, path)
  const body = JSON.stringify(bodyFor(world, description, asked))
  return attacker.client.send(method, path, { headers: { ...headers, 'content-type': 'application/json' }, body })
}

/** Status and text with the sent ids replaced by `*`. */
export const blanked = ({ status, text }: Answer, ...sent: readonly string[]): string =>
  `${status} ${sent
    .reduce((rest, id) => rest.replaceAll(id, '*'), text)
    .replace(JOB, '"job":"*"')
    .replace(LEFT, '')}`

/** Each review of a campaign has a new job, and less time until its window opens. */
const JOB = /"job":"[\da-f-]{36}"/
const LEFT = /"seconds":\d+,?/

/** Members of an operation's body that name a thing or a level; of its query also those that hold words. */
export const membersOf = (description: Description, operation: Operation): readonly string[] => {
  const named = operation.body?.$ref?.split('/').at(-1) ?? ''
  const body = Object.entries(description.components.schemas[named]?.properties ?? {}).flatMap(
    ([name, { const: only }]) => (only === undefined ? [name] : []),
  )
  const query = (operation.described.parameters ?? []).filter(one => one.in === 'query')
  const [, first = ''] = operation.path.split('/')
  return [
    ...body.filter(name => kindNamed(first, name) !== undefined),
    ...query
      .filter(({ name, schema }) => kindNamed(first, name) !== undefined || isWords(schema))
      .map(({ name }) => name),
  ]
}

const isWords = ({ type, enum: options, pattern, format }: Schema): boolean =>
  type === 'string' && options === undefined && pattern === undefined && format === undefined

/** Members whose name is not that of what they name. */
const NAMED: Readonly<Record<string, EntityName>> = {
  hierarchylevel: 'hierarchy',
  hierarchy: 'hierarchy',
  ids: 'user',
  entityid: 'bot',
}

/** The kind of thing that a member of this name names. */
export const kindNamed = (entity: string, member: string): EntityName | undefined => {
  const declared: EntityDeclaration | undefined = isEntity(entity) ? ENTITIES[entity] : undefined
  const field = declared?.fields[member]
  // A simulation of a bot takes the type of a channel.
  const isWord = (field !== undefined && field.to === undefined) || (entity === 'bot' && member === 'channel')
  if (isWord) return undefined
  const to = field?.to ?? (member === 'id' ? entity : (NAMED[member] ?? member))
  return isEntity(to) ? to : undefined
}

/** An id of an entity at a place, or text with the place's mark. */
export const saidAt = ({ places }: World, entity: string, member: string, tied: Target): string => {
  const kind = kindNamed(entity, member)
  if (tied === 'unknown') return UNKNOWN
  if (kind !== undefined) return places[tied].ids[kind]
  return member === 'search' ? places[tied].mark : `${places[tied].mark} ${member}`
}

const pathOf = (world: World, { operation, target }: Asked): string =>
  operation.path
    .replace('{id}', idIn(world, target, entityOf(operation) ?? ''))
    .replace('{level}', idIn(world, target, 'hierarchy'))
    .replace('{revision}', '1')

const queryOf = (world: World, description: Description, asked: Asked): string => {
  const query = new URLSearchParams()
  for (const parameter of asked.operation.described.parameters ?? []) {
    if (parameter.in !== 'query') continue
    const value =
      asked.member === parameter.name ? tiedTo(world, asked) : required(world, description, asked, parameter)
    if (value !== undefined) query.set(parameter.name, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

const required = (world: World, description: Description, { operation, attacker }: Asked, parameter: Parameter) => {
  // Contacts are in a campaign or in a list: the description requires neither of both.
  const isHolder = operation.path.startsWith('/contact') && parameter.name === 'campaign'
  if (parameter.required !== true && !isHolder) return undefined
  const kind = kindNamed(operation.path.split('/')[1] ?? '', parameter.name)
  if (kind !== undefined) return idIn(world, attacker.home, kind)
  return sampleOf(description, parameter.schema, () => undefined)
}

/** Value of the member tied to another place. */
const tiedTo = (world: World, { operation, member = '', tied = 'unknown' }: Asked): string =>
  saidAt(world, operation.path.split('/')[1] ?? '', member, tied)

const bodyFor = (world: World, description: Description, asked: Asked): unknown => {
  const { operation, attacker, member } = asked
  const [, entity = ''] = operation.path.split('/')
  const home = world.places[attacker.home]
  const makes = operation.method === 'POST' && operation.path === `/${entity}` && isEntity(entity)
  const own = makes
    ? bodyOf(
        description,
        ENTITIES[entity],
        home.ids.hierarchy,
        home.ids,
        `${isEverybodys(entity) ? 'geral' : home.mark} novo`,
      )
    : sampleOf(description, operation.body ?? {}, name => (name === 'confirm' ? 'CONFIRM' : undefined))
  if (member === undefined || !isObject(own)) return own
  const field = isEntity(entity) ? (ENTITIES[entity] as EntityDeclaration).fields[member] : undefined
  const id = tiedTo(world, asked)
  return { ...own, ...showing(field), [member]: field?.kind === 'references' ? [id] : id }
}

/** Values of the fields that a conditional field depends on, with which it is shown. */
const showing = (field: Field | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(field?.when ?? {}).map(([name, [value]]) => [name, value]))

const isEverybodys = (entity: EntityName): boolean => (ENTITIES[entity] as EntityDeclaration).parent === 'none'

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
