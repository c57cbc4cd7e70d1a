import type * as Y from 'yjs'
import { FLOW_FORMAT, FLOW_VERSION, type FlowFile, type FlowLink, type FlowOperator } from '#schemas/flow/file.ts'
import { record } from '#schemas/json.ts'
import { linksOf, mapAt, nodeOf, nodesOf } from '../document/document.ts'
import type { LinkModel } from '../document/model.ts'
import { readLink } from '../document/read-flow.ts'
import { decodeOperator, withMembers } from './operator.ts'

/** A link of the document as a file has it, without what only its operator's note knows. */
const fileLink = (link: LinkModel): FlowLink => ({
  fromOperator: link.from,
  fromConnector: link.fromConnector,
  ...(link.fromSubConnector === undefined ? {} : { fromSubConnector: link.fromSubConnector }),
  toOperator: link.to,
  toConnector: link.toConnector,
  ...(link.toSubConnector === undefined ? {} : { toSubConnector: link.toSubConnector }),
  ...(link.color === undefined ? {} : { color: link.color }),
})

/** All links but dangling ones, by the block they leave, with the members that only the file knew. */
export const exportLinks = (doc: Y.Doc): ReadonlyMap<string, readonly (readonly [id: string, link: FlowLink])[]> => {
  const leaving = new Map<string, { readonly ids: string[]; readonly links: FlowLink[] }>()
  for (const id of linksOf(doc).keys()) {
    const link = readLink(doc, id)
    if (link === undefined) continue
    const group = leaving.get(link.from) ?? { ids: [], links: [] }
    group.ids.push(id)
    group.links.push(fileLink(link))
    leaving.set(link.from, group)
  }
  const named = ([from, { ids, links }]: readonly [string, { ids: string[]; links: FlowLink[] }]) =>
    [from, withMembers(nodeOf(doc, from), links).map((link, index) => [ids[index] ?? '', link] as const)] as const
  return new Map([...leaving].map(named))
}

/** The flow as a file: imported content is exported unchanged; dangling links are left out. */
export const exportFlow = (doc: Y.Doc, only?: ReadonlySet<string>): FlowFile => {
  const has = (id: string) => only === undefined || only.has(id)
  const operators: [string, FlowOperator][] = []
  for (const id of nodesOf(doc).keys()) {
    const node = mapAt(nodesOf(doc), id)
    if (node !== undefined && has(id)) operators.push([id, decodeOperator(node)])
  }
  const links = [...exportLinks(doc).values()]
    .flat()
    .filter(([, link]) => has(link.fromOperator) && has(link.toOperator))
  return { format: FLOW_FORMAT, version: FLOW_VERSION, operators: record(operators), links: record(links) }
}

/** Chosen blocks and the links among them, for the clipboard. */
export const copyBlocks = (doc: Y.Doc, ids: Iterable<string>): FlowFile => exportFlow(doc, new Set(ids))
