import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowLink, FlowOperator } from '#schemas/flow/file.ts'
import { own, packJson } from '#schemas/json.ts'
import type { Content, Entries } from '../document/model.ts'
import { SHAPE, unescapeKey } from '../document/shape.ts'
import { FLOW_LIMITS } from '../document/violation.ts'
import { encodeOperator } from './operator.ts'

/** UTF-16 units of a whole text or script: rooms bound each piece of one, and people write many. */
export const MAX_TEXT = 4 * FLOW_LIMITS.value

export interface Excess {
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
export const operatorExcess = (
  id: string,
  operator: FlowOperator,
  outgoing: readonly FlowLink[],
): readonly Excess[] => {
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
export const linkExcess = (id: string, link: FlowLink): readonly Excess[] =>
  LINK_TEXTS.flatMap(name =>
    lengthExcess(own(link as JsonObject, name), FLOW_LIMITS.key, `${below('links', id)}.${name}`),
  )
