import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { sectionsOf } from '#domain/flow/graph/sections.ts'
import type { Badge } from './decoration.ts'
import { plainTitle, type Translate } from './label.ts'
import { isMarker, typeName } from './look.ts'
import { waysOf } from './outputs.ts'
import type { Peer } from './peer.ts'
import { previewOf, previewText } from './preview.ts'

const sections = new WeakMap<FlowModel, ReadonlyMap<string, NodeModel>>()

const sectionOf = (flow: FlowModel, id: string): NodeModel | undefined => {
  const known = sections.get(flow) ?? sectionsOf(flow)
  sections.set(flow, known)
  return known.get(id)
}

interface Around {
  readonly flow: FlowModel
  readonly badge: Badge | undefined
  /** Open threads of comments. */
  readonly threads: number
  readonly people: readonly Peer[]
}

const MAX_LENGTH = 80

/** A block's accessible name: type, text, place, findings and people on it. */
export const blockName = (node: NodeModel, { flow, badge, threads, people }: Around, t: Translate): string => {
  const links = [...flow.links.values()]
  const section = sectionOf(flow, node.id)
  const said = previewText(previewOf(node, t)).slice(0, MAX_LENGTH)
  const names = people.map(({ name }) => name.split(' ')[0] ?? name).join(', ')
  return t('block.name', {
    type: isMarker(node) ? `${typeName(node.type, t)}. ${plainTitle(node, t)}` : plainTitle(node, t),
    text: isMarker(node) ? '' : said,
    place: section === undefined || section === node ? '' : t('block.section', { title: plainTitle(section, t) }),
    links: t('block.links', {
      in: links.filter(link => link.to === node.id).length,
      out: links.filter(link => link.from === node.id).length,
    }),
    check: badge === undefined ? '' : t(badge === 'error' ? 'block.errors' : 'block.warnings', { count: 1 }),
    comments: threads === 0 ? '' : t('block.comments', { count: threads }),
    people: people.length === 0 ? '' : t('block.people', { count: people.length, names }),
  }).trim()
}

/** Its outputs and where they lead: the description, so that links are no stops of their own. */
export const blockDescription = (node: NodeModel, flow: FlowModel, t: Translate): string => {
  if (node.outputs.length === 0) return ''
  const ways = waysOf(node, flow, t).map(({ mark, way, target }) =>
    target === undefined
      ? t('block.loose', { mark, way }).trim()
      : t('block.port', { mark, way, title: plainTitle(target, t) }).trim(),
  )
  return t('block.ports', { ways: ways.join('; ') })
}
