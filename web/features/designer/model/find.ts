import type { FlowModel, Json, NodeModel } from '#domain/flow/document/model.ts'
import { referencesOf } from '#domain/flow/graph/references.ts'
import { folded } from '#domain/fold-text.ts'
import { referenceWords, type Translate } from './label.ts'
import { shownTitle, typeName } from './look.ts'

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
      const targets = referencesOf(node).map(({ to, id }) => referenceWords(to, id, t))
      const own = [shownTitle(node, t).text, typeName(node.type, t), node.type, node.id]
      const named = folded([...own, ...targets].join(' '))
      return named.includes(wanted) || says(properties, wanted)
    })
    .sort(inOrder)
    .map(({ id }) => id)
}
