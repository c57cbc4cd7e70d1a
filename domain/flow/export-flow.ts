import type * as Y from 'yjs'
import type { JsonObject } from '#schemas/event.ts'
import { FLOW_FORMAT, FLOW_VERSION, type FlowFile, type FlowLink, type FlowOperator } from '#schemas/flow/file.ts'
import { linksOf, mapAt, nodeOf, nodesOf } from './document.ts'
import { record } from './json.ts'
import type { LinkModel } from './model.ts'
import { decodeOperator, linkMembers } from './operator.ts'
import { readLink } from './read-flow.ts'

/** A link of the document as a file has it, without what only its operator's note knows. */
export const fileLink = (link: LinkModel): FlowLink => ({
  fromOperator: link.from,
  fromConnector: link.fromConnector,
  ...(link.fromSubConnector === undefined ? {} : { fromSubConnector: link.fromSubConnector }),
  toOperator: link.to,
  toConnector: link.toConnector,
  ...(link.toSubConnector === undefined ? {} : { toSubConnector: link.toSubConnector }),
  ...(link.color === undefined ? {} : { color: link.color }),
})

const exportLink = (doc: Y.Doc, id: string): FlowLink | undefined => {
  const link = readLink(doc, id)
  if (link === undefined) return undefined
  const bare = fileLink(link)
  const node = nodeOf(doc, link.from)
  return { ...(linkMembers(node, bare) as JsonObject), ...bare } as FlowLink
}

/** The flow as a file: what was imported comes out as it went in; dangling links are left out. */
export const exportFlow = (doc: Y.Doc, only?: ReadonlySet<string>): FlowFile => {
  const operators: [string, FlowOperator][] = []
  for (const id of nodesOf(doc).keys()) {
    const node = mapAt(nodesOf(doc), id)
    if (node !== undefined && (only === undefined || only.has(id))) operators.push([id, decodeOperator(node)])
  }
  const links: [string, FlowLink][] = []
  for (const id of linksOf(doc).keys()) {
    const link = exportLink(doc, id)
    if (link !== undefined && (only === undefined || (only.has(link.fromOperator) && only.has(link.toOperator)))) {
      links.push([id, link])
    }
  }
  return { format: FLOW_FORMAT, version: FLOW_VERSION, operators: record(operators), links: record(links) }
}

/** Chosen blocks and the links among them: what copy puts on the clipboard. */
export const copyBlocks = (doc: Y.Doc, ids: Iterable<string>): FlowFile => exportFlow(doc, new Set(ids))
