import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowFile, FlowLink, FlowOperator } from '#schemas/flow/file.ts'
import type { BlockMention } from '#schemas/flow/summary.ts'
import { isObject, jsonEqual, own } from '#schemas/json.ts'
import { freeLinkIds, linkId } from '../document/item-id.ts'

export interface ValueChange {
  /** `type`, `title`, `pos` ({x, y}), another member of the operator, or `properties.…`, dotted. */
  readonly path: string
  /** Absent where there was nothing. */
  readonly before?: Json
  readonly after?: Json
}

interface LinkChange {
  readonly id: string
  readonly before: FlowLink
  readonly after: FlowLink
}

export interface FlowDifference {
  readonly nodes: {
    readonly added: readonly BlockMention[]
    readonly removed: readonly BlockMention[]
    readonly changed: readonly (BlockMention & { readonly changes: readonly ValueChange[] })[]
  }
  readonly links: {
    readonly added: readonly ({ readonly id: string } & FlowLink)[]
    readonly removed: readonly ({ readonly id: string } & FlowLink)[]
    readonly changed: readonly LinkChange[]
  }
}

const change = (path: string, before: Json | undefined, after: Json | undefined): ValueChange => ({
  path,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
})

/** Objects are compared member by member; arrays and plain values as a whole. */
const changesOf = (path: string, before: Json | undefined, after: Json | undefined): readonly ValueChange[] => {
  if (jsonEqual(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [change(path, before, after)]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap(name =>
    changesOf(path === '' ? name : `${path}.${name}`, own(before, name), own(after, name)),
  )
}

/** An operator with its two coordinates as the one value they are. */
const comparable = ({ top, left, ...rest }: FlowOperator): JsonObject =>
  ({
    ...rest,
    ...(top === undefined && left === undefined ? {} : { pos: { x: left ?? 0, y: top ?? 0 } }),
  }) as JsonObject

const operatorChanges = (before: FlowOperator, after: FlowOperator): readonly ValueChange[] => {
  const { pos: posBefore, ...restBefore } = comparable(before)
  const { pos: posAfter, ...restAfter } = comparable(after)
  const moved = jsonEqual(posBefore, posAfter) ? [] : [change('pos', posBefore, posAfter)]
  return [...moved, ...changesOf('', restBefore, restAfter)]
}

const mention = (id: string, { type, title }: FlowOperator): BlockMention => ({
  id,
  type: typeof type === 'string' ? type : '',
  title: typeof title === 'string' ? title : '',
})

const entriesOnlyIn = (file: FlowFile, other: FlowFile): readonly BlockMention[] =>
  Object.entries(file.operators).flatMap(([id, operator]) =>
    own(other.operators, id) === undefined ? [mention(id, operator)] : [],
  )

/** Links by what they leave, so that two files with other link ids still compare. */
const linksByOutput = (file: FlowFile): ReadonlyMap<string, FlowLink> => {
  const links = new Map<string, FlowLink>()
  const freeId = freeLinkIds(id => links.has(id))
  const sorted = Object.values(file.links).sort((a, b) => (a.toOperator < b.toOperator ? -1 : 1))
  for (const link of sorted) {
    links.set(freeId(linkId(link.fromOperator, link.fromConnector, link.fromSubConnector)), link)
  }
  return links
}

const linkDifference = (before: FlowFile, after: FlowFile): FlowDifference['links'] => {
  const old = linksByOutput(before)
  const now = linksByOutput(after)
  const named = (id: string, link: FlowLink) => ({ ...link, id }) as { readonly id: string } & FlowLink
  return {
    added: [...now].flatMap(([id, link]) => (old.has(id) ? [] : [named(id, link)])),
    removed: [...old].flatMap(([id, link]) => (now.has(id) ? [] : [named(id, link)])),
    changed: [...now].flatMap(([id, link]) => {
      const was = old.get(id)
      return was === undefined || jsonEqual(was as Json, link as Json) ? [] : [{ id, before: was, after: link }]
    }),
  }
}

/** Changes from `before` to `after`, block by block and link by link. */
export const diffFlows = (before: FlowFile, after: FlowFile): FlowDifference => ({
  nodes: {
    added: entriesOnlyIn(after, before),
    removed: entriesOnlyIn(before, after),
    changed: Object.entries(after.operators).flatMap(([id, operator]) => {
      const was = own(before.operators, id)
      const changes = was === undefined ? [] : operatorChanges(was, operator)
      return changes.length === 0 ? [] : [{ ...mention(id, operator), changes }]
    }),
  },
  links: linkDifference(before, after),
})
