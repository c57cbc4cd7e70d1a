import type { FlowModel, Json, NodeModel } from '#domain/flow/document/model.ts'
import { referencesOf } from '#domain/flow/graph/references.ts'
import { sectionsOf } from '#domain/flow/graph/sections.ts'
import { folded } from '#schemas/fold-text.ts'
import { USED_BLOCKS } from '#web/shell/storage-keys.ts'
import { type Badge, isMarker, type Peer, shownTitle, typeName } from './block-appearance.ts'
import { plainTitle, referenceLabel, type Translate } from './label.ts'
import { previewOf, previewText } from './preview.ts'
import { outgoingPaths } from './reading-order.ts'

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
  const ways = outgoingPaths(node, flow, t).map(({ mark, way, target }) =>
    target === undefined
      ? t('block.loose', { mark, way }).trim()
      : t('block.port', { mark, way, title: plainTitle(target, t) }).trim(),
  )
  return t('block.ports', { ways: ways.join('; ') })
}

const says = (value: Json, wanted: string): boolean => {
  if (typeof value === 'string') return folded(value).includes(wanted)
  if (typeof value === 'number') return String(value) === wanted
  if (Array.isArray(value)) return value.some((item: Json) => says(item, wanted))
  return typeof value === 'object' && value !== null && Object.values(value).some(item => says(item as Json, wanted))
}

/** From the top to the bottom, then from the left to the right: the order in which a flow is read. */
const inOrder = (a: NodeModel, b: NodeModel) => a.y - b.y || a.x - b.x

/** Ids of blocks whose title, type, texts, variables or targets hold the words, accents and case aside. */
export const findBlocks = (flow: FlowModel, search: string, t: Translate): readonly string[] => {
  const wanted = folded(search.trim())
  if (wanted === '') return []
  return [...flow.nodes.values()]
    .filter(node => {
      const { inputs: _inputs, outputs: _outputs, ...properties } = node.properties
      const targets = referencesOf(node).map(({ to, id }) => referenceLabel(to, id, t))
      const own = [shownTitle(node, t).text, typeName(node.type, t), node.type, node.id]
      const named = folded([...own, ...targets].join(' '))
      return named.includes(wanted) || says(properties, wanted)
    })
    .sort(inOrder)
    .map(({ id }) => id)
}

/** Default suggestions, before any use by this person. */
const COMMON: readonly string[] = ['text', 'prompt', 'condition', 'herocard', 'carousel', 'assignvariables']
const MAX = 6

const remembered = (): readonly string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(USED_BLOCKS) ?? '[]')
    return Array.isArray(kept) ? kept.filter(type => typeof type === 'string') : []
  } catch {
    return []
  }
}

/** Types to suggest first: recently used, then commonly used. */
export const recentBlockTypes = (): readonly string[] => [...new Set([...remembered(), ...COMMON])].slice(0, MAX)

export const recordBlockType = (type: string): void => {
  try {
    localStorage.setItem(USED_BLOCKS, JSON.stringify([...new Set([type, ...remembered()])].slice(0, MAX / 2)))
  } catch {
    // Without storage the common ones stay first.
  }
}
