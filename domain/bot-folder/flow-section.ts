import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields } from '#schemas/flow/block-field.ts'
import type { FlowLink, FlowOperator } from '#schemas/flow/file.ts'
import { isObject, own, record } from '#schemas/json.ts'

/** A flow as a dialog's file shows it: texts in `blocks`, positions in `layout`, links in the order of their ends. */
interface FlowSections {
  readonly blocks: JsonObject
  readonly links: readonly JsonObject[]
  readonly layout: JsonObject
}

/** A flow of the API or of a file, before it is checked. */
interface LooseFlow {
  readonly operators: { readonly [id: string]: FlowOperator }
  readonly links: { readonly [id: string]: FlowLink }
}

const inOrder = <T>(entries: Iterable<readonly [string, T]>): [string, T][] =>
  [...entries].map(([key, value]): [string, T] => [key, value]).sort(([one], [other]) => (one < other ? -1 : 1))

/** Members of a list stay in their order, also where the file has them as an object. */
const orderedValue = (field: BlockField | undefined, value: Json): Json => {
  if (field?.kind === 'group' && isObject(value)) return orderedMembers(field.fields, value)
  if (field?.kind === 'list' && Array.isArray(value))
    return (value as readonly Json[]).map(item => (isObject(item) ? orderedMembers(field.item, item) : item))
  return value
}

const orderedMembers = (fields: BlockFields, members: JsonObject): JsonObject =>
  record(inOrder(Object.entries(members)).map(([name, value]) => [name, orderedValue(own(fields, name), value)]))

const HEAD = ['type', 'title'] as const
const PLACE = ['top', 'left'] as const
const isApart = (name: string) => [...HEAD, ...PLACE, 'properties'].includes(name)

const chosen = (operator: FlowOperator, names: readonly string[]): [string, Json][] =>
  names.flatMap(name => {
    const value = own(operator as JsonObject, name)
    return value === undefined ? [] : [[name, value]]
  })

const blockOfFile = (operator: FlowOperator): JsonObject => {
  const { type, properties } = operator
  const fields = (typeof type === 'string' ? blockOf(type)?.fields : undefined) ?? {}
  const more = inOrder(Object.entries(operator as JsonObject).filter(([name]) => !isApart(name)))
  const shown: [string, Json][] = properties === undefined ? [] : [['properties', orderedMembers(fields, properties)]]
  return record([...chosen(operator, HEAD), ...more, ...shown])
}

/** Members of a link, in this order; further ones follow. */
const LINK = ['fromOperator', 'fromConnector', 'fromSubConnector', 'toOperator', 'toConnector', 'toSubConnector']

const linkOfFile = (link: FlowLink): JsonObject => {
  const members = link as unknown as JsonObject
  const known = LINK.flatMap((name): [string, Json][] => {
    const value = own(members, name)
    return value === undefined ? [] : [[name, value]]
  })
  return record([...known, ...inOrder(Object.entries(members).filter(([name]) => !LINK.includes(name)))])
}

export const sectionsOf = ({ operators, links }: LooseFlow): FlowSections => {
  const ordered = inOrder(Object.entries(operators))
  const written = Object.values(links).map(link => {
    const members = linkOfFile(link)
    return [JSON.stringify(Object.values(members)), members] as const
  })
  return {
    blocks: record(ordered.map(([id, operator]) => [id, blockOfFile(operator)])),
    links: inOrder(written).map(([, members]) => members),
    layout: record(
      ordered.flatMap(([id, operator]): [string, JsonObject][] => {
        const place = chosen(operator, PLACE)
        return place.length === 0 ? [] : [[id, record(place)]]
      }),
    ),
  }
}

/** The flow of a file's sections, unchecked: `parseFlowFile` reads it. A block without a position is at 0, 0. */
export const flowOf = ({ blocks, links, layout }: Readonly<Record<keyof FlowSections, unknown>>): JsonObject => {
  const places = isObject(layout) ? layout : {}
  const operators = isObject(blocks)
    ? record(
        Object.entries(blocks).map(([id, block]): [string, Json] => {
          const place = own(places, id)
          return [id, isObject(block) && isObject(place) ? { ...block, ...place } : block]
        }),
      )
    : {}
  const listed = Array.isArray(links) ? (links as readonly Json[]) : []
  return { operators, links: record(listed.map((link, index): [string, Json] => [String(index), link])) }
}
