import type * as Y from 'yjs'
import { type Block, ERROR_CONNECTOR } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, optionalText, own } from '#schemas/json.ts'
import { decodeProperties, unreadable } from '../file/decode.ts'
import { choicesOf, possibleChoices } from './choice-outputs.ts'
import { withDefaults } from './default-properties.ts'
import { linksOf, mapAt, nodeOf, nodesOf, schemaOf } from './document.ts'
import { type ConnectorModel, type Entries, type FlowModel, itemsOf, type LinkModel, type NodeModel } from './model.ts'
import { DEFAULT_TYPE, shapeOf } from './shape.ts'
import { mapEntries, type SharedMap } from './shared.ts'

const finite = (value: unknown): number | undefined => {
  if (typeof value === 'string' && value.trim() !== '') return finite(Number(value))
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

const labelOf = (named: Json | undefined): string => {
  const label = isObject(named) ? own(named, 'label') : undefined
  return typeof label === 'string' ? label : ''
}

const connectorOf = (id: string, named: JsonObject, block: Block | undefined, item: boolean): ConnectorModel => ({
  id,
  label: labelOf(own(named, id)),
  item,
  multiple: block === undefined || block.outputs.some(output => output.id === id && output.multiple),
})

const outputsOf = (block: Block | undefined, entries: Entries, properties: JsonObject, named: JsonObject) => {
  const choices = block === undefined ? [] : choicesOf(block, properties)
  const possible = new Set(block === undefined ? [] : possibleChoices(block, properties).map(({ output }) => output))
  const list = block?.itemOutputs === undefined ? undefined : entries.get(block.itemOutputs)
  const items = list === undefined ? [] : itemsOf(list).map(item => item.id)
  const fixed = block === undefined ? ['output_1'] : block.outputs.map(output => output.id)
  const stored = Object.keys(named).filter(id => !items.includes(id) && !possible.has(id))
  const shown = stored.length === 0 && (block !== undefined || items.length === 0) ? fixed : stored
  const last = shown.filter(id => fixed.includes(id))
  const others = shown.filter(id => !fixed.includes(id))
  const chosen = choices
    .filter(({ output }) => Object.hasOwn(named, output))
    .map(choice => ({ ...connectorOf(choice.output, named, block, false), choice }))
  return {
    outputs: [
      ...items.map(id => connectorOf(id, named, block, true)),
      ...chosen.filter(({ id }) => id !== ERROR_CONNECTOR),
      ...last.map(id => connectorOf(id, named, block, false)),
      ...chosen.filter(({ id }) => id === ERROR_CONNECTOR),
      ...others.map(id => connectorOf(id, named, block, false)),
    ],
    moreOutputs: [
      ...choices.map(({ output }) => output).filter(id => !Object.hasOwn(named, id)),
      ...fixed.filter(id => block !== undefined && !shown.includes(id)),
    ],
  }
}

const inputsOf = (block: Block | undefined, named: JsonObject): readonly ConnectorModel[] => {
  const stored = Object.keys(named)
  const fixed = block === undefined ? ['input_1'] : block.inputs.map(input => input.id)
  return (stored.length === 0 ? fixed : stored).map(id => connectorOf(id, named, block, false))
}

/** Further from the middle, in flow pixels, nothing is shown: a file may say 1e308, and no view has room for that. */
const FURTHEST = 10_000_000
const near = (value: number): number => Math.max(-FURTHEST, Math.min(FURTHEST, value))

const positionOf = (node: SharedMap, operator: JsonObject): { x: number; y: number } => {
  const pos = node.get('pos')
  const held = typeof pos === 'object' && pos !== null ? (pos as { x?: unknown; y?: unknown }) : {}
  return {
    x: near(finite(held.x) ?? finite(own(operator, 'left')) ?? 0),
    y: near(finite(held.y) ?? finite(own(operator, 'top')) ?? 0),
  }
}

const readMap = (id: string, node: SharedMap): NodeModel => {
  const properties = mapAt(node, 'properties')
  const entries: Entries = properties === undefined ? new Map() : mapEntries(properties)
  const { operator = {}, missing } = shapeOf(entries)
  const type = optionalText(node.get('type')) ?? (missing?.includes('type') ? '' : DEFAULT_TYPE)
  const block = blockOf(type)
  const decoded = decodeProperties(block, entries)
  const named = (name: string) => {
    const value = own(decoded, name)
    return isObject(value) ? value : {}
  }
  const filled = block === undefined ? decoded : withDefaults(block.fields, decoded)
  return {
    id,
    type,
    known: block !== undefined,
    title: optionalText(node.get('title')) ?? optionalText(own(decoded, 'title')) ?? '',
    ...positionOf(node, operator),
    properties: filled,
    inputs: inputsOf(block, named('inputs')),
    ...outputsOf(block, entries, filled, named('outputs')),
    unknown: Object.keys(decoded).filter(
      name => name !== 'inputs' && name !== 'outputs' && (block === undefined || !Object.hasOwn(block.fields, name)),
    ),
    unreadable: block === undefined ? [] : unreadable(block.fields, entries),
  }
}

/** One block, or undefined where there is none; cheap enough to call for what a transaction touched. */
export const readNode = (doc: Y.Doc, id: string): NodeModel | undefined => {
  const node = nodeOf(doc, id)
  return node === undefined ? undefined : readMap(id, node)
}

const connector = (value: unknown): string | number | null | undefined =>
  typeof value === 'string' || typeof value === 'number' || value === null ? value : undefined

const readLinkMap = (id: string, link: SharedMap): LinkModel | undefined => {
  const from = optionalText(link.get('from'))
  const to = optionalText(link.get('to'))
  if (from === undefined || to === undefined) return undefined
  return {
    id,
    from,
    fromConnector: optionalText(link.get('fromConnector')) ?? '',
    fromSubConnector: connector(link.get('fromSubConnector')),
    to,
    toConnector: optionalText(link.get('toConnector')) ?? '',
    toSubConnector: connector(link.get('toSubConnector')),
    color: optionalText(link.get('color')),
  }
}

/** One link, or undefined where there is none or an end of it is missing. */
export const readLink = (doc: Y.Doc, id: string): LinkModel | undefined => {
  const map = mapAt(linksOf(doc), id)
  const link = map === undefined ? undefined : readLinkMap(id, map)
  if (link === undefined) return undefined
  return nodeOf(doc, link.from) !== undefined && nodeOf(doc, link.to) !== undefined ? link : undefined
}

/** The whole flow as plain immutable data, defaults applied, dangling links left out. */
export const readFlow = (doc: Y.Doc): FlowModel => {
  const steps = readFlowInSteps(doc)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The same, a block or a link at a step: nothing may change in the document meanwhile. */
function* readFlowInSteps(doc: Y.Doc): Generator<undefined, FlowModel> {
  const nodes = new Map<string, NodeModel>()
  for (const id of nodesOf(doc).keys()) {
    const node = readNode(doc, id)
    if (node !== undefined) nodes.set(id, node)
    yield
  }
  const links = new Map<string, LinkModel>()
  for (const id of linksOf(doc).keys()) {
    const link = readLink(doc, id)
    if (link !== undefined) links.set(id, link)
    yield
  }
  return { schema: schemaOf(doc), nodes, links }
}
