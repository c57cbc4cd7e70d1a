import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import {
  DEEPEST_PROPERTY,
  FLOW_FORMAT,
  FLOW_VERSION,
  type FlowFile,
  type FlowLink,
  type FlowOperator,
} from '#schemas/flow/file.ts'
import { isObject, jsonFault, own, packJson, record } from '#schemas/json.ts'
import type { Content, Entries } from '../document/model.ts'
import { SHAPE, unescapeKey } from '../document/shape.ts'
import { FLOW_LIMITS } from '../document/violation.ts'
import { encodeOperator } from './operator.ts'

/** UTF-16 units of a whole text or script: rooms bound each piece of one, and people write many. */
export const MAX_TEXT = 4 * FLOW_LIMITS.value

interface Excess {
  readonly path: string
  /** Maximum in UTF-16 units; of a value as JSON. */
  readonly max: number
}

/** Paths are for people: a key that is too long does not come back whole. */
const below = (path: string, key: string) => `${path}.${key.slice(0, 100)}`

const keyExcess = (key: string, path: string): readonly Excess[] =>
  key.length > FLOW_LIMITS.key ? [{ path: below(path, key), max: FLOW_LIMITS.key }] : []

const lengthExcess = (value: unknown, max: number, path: string): readonly Excess[] =>
  typeof value === 'string' && value.length > max ? [{ path, max }] : []

const valueExcess = (value: Json, path: string): readonly Excess[] => {
  const packed = packJson(value)
  // A text with more lines than a view has room for is a plain value.
  if (typeof packed !== 'object' || packed === null) return lengthExcess(packed, MAX_TEXT, path)
  return lengthExcess(JSON.stringify(packed), FLOW_LIMITS.value, path)
}

const contentExcess = (content: Content, path: string): readonly Excess[] => {
  switch (content.kind) {
    case 'value':
      return valueExcess(content.value, path)
    case 'text':
    case 'rich':
      return lengthExcess(content.value, MAX_TEXT, path)
    case 'map':
      return entriesExcess(content.entries, path, false)
    case 'list':
      return content.items.flatMap(({ id, entries }) => [
        ...keyExcess(id, path),
        ...entriesExcess(entries, below(path, id), true),
      ])
    default:
      return content satisfies never
  }
}

const entriesExcess = (entries: Entries, path: string, inItem: boolean): readonly Excess[] =>
  [...entries].flatMap(([key, content]) => {
    const name = unescapeKey(key, inItem)
    const inner = name === undefined || key === SHAPE ? path : below(path, name)
    return [...keyExcess(key, path), ...contentExcess(content, inner)]
  })

/** Parts of a file's operator that are larger than a room accepts them in a document. */
const operatorExcess = (id: string, operator: FlowOperator, outgoing: readonly FlowLink[]): readonly Excess[] => {
  const path = below('operators', id)
  return [
    ...keyExcess(id, 'operators'),
    ...lengthExcess(own(operator, 'type'), FLOW_LIMITS.key, `${path}.type`),
    ...lengthExcess(own(operator, 'title'), FLOW_LIMITS.title, `${path}.title`),
    ...entriesExcess(encodeOperator(operator, outgoing).properties, `${path}.properties`, false),
  ]
}

const LINK_TEXTS = ['fromConnector', 'fromSubConnector', 'toConnector', 'toSubConnector', 'color'] as const

/** The same of a link. */
const linkExcess = (id: string, link: FlowLink): readonly Excess[] =>
  LINK_TEXTS.flatMap(name =>
    lengthExcess(own(link as JsonObject, name), FLOW_LIMITS.key, `${below('links', id)}.${name}`),
  )

interface FlowFileError {
  readonly path: string
  readonly code: string
  readonly message: string
  /** UTF-16 units, of what is too long. */
  readonly max?: number
}

type ParsedFlowFile =
  | { readonly ok: true; readonly file: FlowFile; readonly unknown: readonly string[] }
  | { readonly ok: false; readonly errors: readonly FlowFileError[] }

/** Levels above a property: the file, `operators`, its block, `properties`. */
const ABOVE_PROPERTY = 4

/** As many faults as a person can use; a hostile file has as many as it likes. */
const MAX_ERRORS = 20

const fault = (path: string, code: string, message: string): FlowFileError => ({ path, code, message })

const headErrors = (file: JsonObject): FlowFileError[] => {
  const format = own(file, 'format')
  const version = own(file, 'version')
  if (format === undefined) return []
  if (format !== FLOW_FORMAT) return [fault('format', 'format', `must be "${FLOW_FORMAT}"`)]
  return version === FLOW_VERSION ? [] : [fault('version', 'version', `must be ${FLOW_VERSION}`)]
}

const isCoordinate = (value: unknown): boolean =>
  value === undefined ||
  typeof value === 'number' ||
  (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))

const operatorErrors = (id: string, operator: unknown): FlowFileError[] => {
  const path = `operators.${id}`
  if (!isObject(operator)) return [fault(path, 'type', 'must be an object')]
  const errors: FlowFileError[] = []
  for (const name of ['top', 'left']) {
    if (!isCoordinate(own(operator, name))) errors.push(fault(`${path}.${name}`, 'type', 'must be a number'))
  }
  for (const name of ['type', 'title']) {
    const value = own(operator, name)
    if (value !== undefined && typeof value !== 'string')
      errors.push(fault(`${path}.${name}`, 'type', 'must be a string'))
  }
  const properties = own(operator, 'properties')
  if (properties !== undefined && !isObject(properties)) {
    errors.push(fault(`${path}.properties`, 'type', 'must be an object'))
  }
  return errors
}

const isName = (value: unknown) => typeof value === 'string' || typeof value === 'number'

const linkErrors = (id: string, link: unknown): FlowFileError[] => {
  const path = `links.${id}`
  if (!isObject(link)) return [fault(path, 'type', 'must be an object')]
  const errors: FlowFileError[] = []
  for (const name of ['fromOperator', 'fromConnector', 'toOperator', 'toConnector']) {
    if (!isName(own(link, name))) errors.push(fault(`${path}.${name}`, 'type', 'must be a string or a number'))
  }
  for (const name of ['fromSubConnector', 'toSubConnector']) {
    const value = own(link, name)
    if (value !== undefined && value !== null && !isName(value)) {
      errors.push(fault(`${path}.${name}`, 'type', 'must be a string or a number'))
    }
  }
  return errors
}

const membersOf = (file: JsonObject, name: 'operators' | 'links'): readonly [string, unknown][] | FlowFileError => {
  const members = own(file, name)
  return isObject(members) ? Object.entries(members) : fault(name, 'type', 'must be an object')
}

const normalLink = (link: JsonObject): FlowLink => ({
  ...(link as unknown as FlowLink),
  fromOperator: String(own(link, 'fromOperator')),
  fromConnector: String(own(link, 'fromConnector')),
  toOperator: String(own(link, 'toOperator')),
  toConnector: String(own(link, 'toConnector')),
})

const unknownTypes = (operators: readonly [string, unknown][]): readonly string[] => {
  const types = operators.flatMap(([, operator]) => {
    const type = isObject(operator) ? own(operator, 'type') : undefined
    return typeof type === 'string' && blockOf(type) === undefined ? [type] : []
  })
  return [...new Set(types)]
}

/**
 * Reads a flow file: ours, or any jquery.flowchart data with operators and links. Numeric ids become strings; types
 * without a declaration are listed. Errors name where, at most twenty; the refusal for them is `flow.format`.
 */
export const parseFlowFile = (input: unknown): ParsedFlowFile => {
  if (!isObject(input)) return { ok: false, errors: [fault('', 'type', 'must be an object')] }
  const broken = jsonFault(input, ABOVE_PROPERTY + DEEPEST_PROPERTY)
  if (broken !== null) return { ok: false, errors: [fault(broken.path, broken.code, 'cannot be stored')] }
  const operators = membersOf(input, 'operators')
  const links = membersOf(input, 'links')
  const errors = [
    ...headErrors(input),
    ...('path' in operators ? [operators] : operators.flatMap(([id, operator]) => operatorErrors(id, operator))),
    ...('path' in links ? [links] : links.flatMap(([id, link]) => linkErrors(id, link))),
  ]
  if ('path' in operators || 'path' in links || errors.length > 0)
    return { ok: false, errors: errors.slice(0, MAX_ERRORS) }
  const file: FlowFile = {
    format: FLOW_FORMAT,
    version: FLOW_VERSION,
    operators: record(operators as [string, FlowOperator][]),
    links: record(links.map(([id, link]) => [id, normalLink(link as JsonObject)])),
  }
  const oversize = flowExcess(file)
  return oversize.length > 0 ? { ok: false, errors: oversize } : { ok: true, file, unknown: unknownTypes(operators) }
}

/** Content of a file above the limits of a room, at most twenty places. */
export const flowExcess = (file: FlowFile): readonly FlowFileError[] => {
  const outgoing = Map.groupBy(Object.values(file.links), link => link.fromOperator)
  const found: FlowFileError[] = []
  const note = ({ path, max }: Excess) =>
    found.push({ ...fault(path, 'toolong', `has at most ${max} characters`), max })
  for (const [id, operator] of Object.entries(file.operators)) {
    if (found.length >= MAX_ERRORS) break
    operatorExcess(id, operator, outgoing.get(id) ?? []).forEach(note)
  }
  for (const [id, link] of Object.entries(file.links)) {
    if (found.length >= MAX_ERRORS) break
    linkExcess(id, link).forEach(note)
  }
  return found.slice(0, MAX_ERRORS)
}
