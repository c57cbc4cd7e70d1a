import type * as Y from 'yjs'
import {
  addLink,
  addNode,
  moveNodes,
  removeLinks,
  removeNodes,
  setField,
  setTitle,
} from '#domain/flow/document/edit.ts'
import { addItem } from '#domain/flow/document/item-edit.ts'
import type { FlowModel, LinkModel, NodeModel } from '#domain/flow/document/model.ts'
import { patchBlocks, patchFlow } from '#domain/flow/document/patch-flow.ts'
import { restoreUnplacedEdits, type UnplacedEdit } from '#domain/flow/document/unplaced-edits.ts'
import { copyBlocks, exportFlow } from '#domain/flow/file/export-flow.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import type { Undo, UndoResult } from '#domain/flow/undo/undo.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { own } from '#schemas/json.ts'
import { blockSizeOf, type CanvasState, NOTHING } from '../../canvas/canvas-context.ts'
import type { LinkEndTarget, OutputRef } from '../../canvas/use-link-drag.ts'
import { type Arrangement, arrange } from '../../model/arrange.ts'
import { boxOf, contentsOf } from '../../model/block-appearance.ts'
import { type Box, bounds, COMFORTABLE, type Point, type Size } from '../../model/geometry.ts'
import { paletteEntry } from '../../model/question-kinds.ts'
import {
  type Added,
  blocksOf,
  type InsertionPoint,
  insertBlock,
  insertBlockAfter,
  insertCopiedBlocks,
  insertIntoLink,
  newId,
  preferredOutput,
} from './place-blocks.ts'

/** Inserts an existing block into a link, as one change; false if one of them was removed. */
const putOnLink = (
  doc: Y.Doc,
  { nodes, links }: FlowModel,
  block: string,
  link: string,
  at: Point,
  origin: unknown,
): boolean => {
  const node = nodes.get(block)
  const parted = links.get(link)
  if (node === undefined || parted === undefined) return false
  doc.transact(() => {
    moveNodes(doc, new Map([[block, at]]), origin)
    insertIntoLink(doc, parted, node, origin)
  }, origin)
  return true
}

/** Ends of a link after one was moved; undefined if they cannot be joined. */
const joinedBy = (flow: FlowModel, { from, fromConnector, to, toConnector }: LinkModel, end: LinkEndTarget) => {
  if ('to' in end) {
    const input = flow.nodes.get(end.to)?.inputs[0]
    return input && { from, fromConnector, to: end.to, toConnector: input.id }
  }
  const output =
    end.fromConnector === undefined
      ? preferredOutput(flow, end.from)
      : { from: end.from, fromConnector: end.fromConnector }
  return output && { ...output, to, toConnector }
}

/** Moves an end of a link as one change; the id that the link has then. */
const relink = (
  doc: Y.Doc,
  flow: FlowModel,
  link: LinkModel,
  end: LinkEndTarget,
  origin: unknown,
): string | undefined => {
  const joined = joinedBy(flow, link, end)
  if (joined === undefined) return undefined
  const color = link.color === undefined ? {} : { color: link.color }
  return doc.transact(() => {
    removeLinks(doc, [link.id], origin)
    return addLink(doc, { id: newId(), ...joined, ...color }, origin)
  }, origin)
}

/** A selectable answer: displayed title and stored value. */
interface Answer {
  readonly title: string
  readonly value: string
}

/** Adds a condition after a question that has a branch for each answer, as one change; its id. */
const branchByAnswer = (
  doc: Y.Doc,
  flow: FlowModel,
  question: NodeModel,
  answers: readonly Answer[],
  origin: unknown,
): string => {
  const { varname } = question.properties
  const variable = typeof varname === 'string' ? varname : ''
  const left = variable === '' ? { source: 'input' } : { source: 'variable', variable }
  return doc.transact(() => {
    const output = preferredOutput(flow, question.id)
    const { id } = insertBlockAfter(doc, flow, { type: 'condition', title: '' }, { source: question, output }, origin)
    for (const { title, value } of answers) {
      const rule = { ...left, datatype: 'string', comparison: 'equals', values: [value === '' ? title : value] }
      const members = { label: title, match: 'and', rules: [rule], groups: [] }
      addItem(doc, id, ['conditions'], { id: newId(), members }, origin)
    }
    return id
  }, origin)
}

/** Origin of this person's own edits, which undo reverts. */
export const OWN_EDIT = 'designer'
/** Room between a frame and what is in it: half of what lies between two blocks, so that its title fits there too. */
const FRAME = { aside: 20, down: 14 } as const

const newBlock = (entry: string) => {
  const { type, properties } = paletteEntry(entry)
  return properties === undefined ? { type } : { type, properties }
}

/** Moves by keys that are closer than this are one step of undo. Milliseconds. */
const PRESS_PAUSE = 1000

type PasteResult = { readonly pasted: number } | { readonly pasted: 0; readonly refused: true }

/** Everything a person can do to a flow on the canvas. Each call is one transaction and, but for `nudge`, one undo step. */
export interface Actions {
  add(type: string, title: string, at: Point, after?: OutputRef): string
  /** Puts a block after another one, where it covers nothing; between the two where the way was taken. */
  addAfter(type: string, title: string, after: InsertionPoint): Added
  link(pulled: OutputRef, to: string): void
  /** Leads a link elsewhere, or has it leave another output. */
  relink(link: LinkModel, end: LinkEndTarget): void
  /** Inserts a block into a link; false if one of them was removed. */
  part(block: string, link: string, at: Point): boolean
  /** Adds a condition with a branch for each answer of a question; its id. */
  branch(question: NodeModel, answers: readonly Answer[]): string
  move(places: ReadonlyMap<string, Point>): void
  /** Moves what is selected; presses soon after one another are one undo step. */
  nudge(dx: number, dy: number): void
  remove(): { readonly blocks: number; readonly links: number }
  copy(): string | undefined
  paste(text: string, at?: Point): PasteResult
  duplicate(): number
  /** Aligns or distributes the selected blocks; returns the count. */
  arrange(how: Arrangement): number
  /** Draws a frame around the selected blocks; its id, undefined where nothing is selected. */
  group(title: string): string | undefined
  rename(block: string, title: string): void
  resize(block: string, size: Size): void
  importFile(file: FlowFile): void
  /** Gives edits back the place they lost. */
  putBack(edits: readonly UnplacedEdit[]): void
  /** A block with its links as a file has it; false where it is like that already, or the file lacks it. */
  bringBack(block: string, file: FlowFile): boolean
  /** A block to where a file has it; false as above. */
  moveBack(block: string, file: FlowFile): boolean
  file(): FlowFile
  undo(): UndoResult
  redo(): UndoResult
}

export const createActions = (doc: Y.Doc, state: CanvasState, undo: Undo): Actions => {
  const nodes = () => state.flow.get().nodes
  const selected = () => [...state.selection.get().blocks].filter(id => nodes().has(id))
  const select = (ids: Iterable<string>) => state.selection.set({ blocks: new Set(ids), links: new Set() })
  /** Shared block sizes, independent of this person's display: placement uses them. */
  const box = (node: NodeModel): Box => boxOf(node, COMFORTABLE)

  /** Last local copy: its blocks are not parsed from the text again. */
  let copied: { readonly text: string; readonly blocks: readonly NodeModel[] } | undefined
  let pressed = { blocks: '', at: 0 }
  const insert = (file: FlowFile, blocks: readonly NodeModel[], around?: Point): number => {
    const ids = insertCopiedBlocks(doc, state.flow.get(), file, blocks, around, OWN_EDIT)
    select(ids)
    if (ids[0] !== undefined) state.focus.set(ids[0])
    return ids.length
  }

  return {
    add: (type, title, at, after) => {
      const id = insertBlock(doc, state.flow.get(), { ...newBlock(type), title }, at, after, OWN_EDIT)
      select([id])
      state.focus.set(id)
      return id
    },
    addAfter: (type, title, after) => {
      const added = insertBlockAfter(doc, state.flow.get(), { ...newBlock(type), title }, after, OWN_EDIT)
      select([added.id])
      state.focus.set(added.id)
      return added
    },
    link: (pulled, to) => {
      const input = nodes().get(to)?.inputs[0]?.id
      if (input !== undefined) addLink(doc, { id: newId(), ...pulled, to, toConnector: input }, OWN_EDIT)
    },
    relink: (link, end) => {
      const id = relink(doc, state.flow.get(), link, end, OWN_EDIT)
      if (id !== undefined) state.selection.set({ blocks: new Set(), links: new Set([id]) })
    },
    part: (block, link, at) => putOnLink(doc, state.flow.get(), block, link, at, OWN_EDIT),
    branch: (question, answers) => branchByAnswer(doc, state.flow.get(), question, answers, OWN_EDIT),
    move: places => moveNodes(doc, places, OWN_EDIT),
    nudge: (dx, dy) => {
      const blocks = selected()
      const places = [...blocks, ...contentsOf(nodes(), blocks, blockSizeOf(state))].flatMap(
        (id): [string, Point][] => {
          const node = nodes().get(id)
          return node === undefined ? [] : [[id, { x: node.x + dx, y: node.y + dy }]]
        },
      )
      const now = performance.now()
      const same = blocks.join(' ')
      if (pressed.blocks !== same || now - pressed.at > PRESS_PAUSE) pressed = { blocks: same, at: now }
      pressed.at = now
      undo.goOn(pressed, () => moveNodes(doc, new Map(places), OWN_EDIT))
    },
    remove: () => {
      const blocks = selected()
      const links = [...state.selection.get().links].filter(id => state.flow.get().links.has(id))
      doc.transact(() => {
        removeNodes(doc, blocks, OWN_EDIT)
        removeLinks(doc, links, OWN_EDIT)
      }, OWN_EDIT)
      state.selection.set(NOTHING)
      return { blocks: blocks.length, links: links.length }
    },
    copy: () => {
      const ids = selected()
      if (ids.length === 0) return undefined
      const text = JSON.stringify(copyBlocks(doc, ids), null, 1)
      copied = { text, blocks: ids.flatMap(id => nodes().get(id) ?? []) }
      return text
    },
    paste: (text, at) => {
      let json: unknown
      try {
        json = JSON.parse(text)
      } catch {
        return { pasted: 0, refused: true }
      }
      const parsed = parseFlowFile(json)
      return parsed.ok
        ? { pasted: insert(parsed.file, copied?.text === text ? copied.blocks : blocksOf(parsed.file), at) }
        : { pasted: 0, refused: true }
    },
    duplicate: () => {
      const ids = selected()
      const blocks = ids.flatMap(id => nodes().get(id) ?? [])
      return ids.length === 0 ? 0 : insert(copyBlocks(doc, ids), blocks)
    },
    arrange: how => {
      const chosen = selected().flatMap(id => nodes().get(id) ?? [])
      const places = arrange(
        chosen.map(node => ({ id: node.id, ...box(node) })),
        how,
      )
      moveNodes(doc, places, OWN_EDIT)
      return places.size
    },
    group: title => {
      const around = bounds(
        selected()
          .flatMap(id => nodes().get(id) ?? [])
          .map(box),
      )
      if (around === undefined) return undefined
      const id = newId()
      const at = { x: around.x - FRAME.aside, y: around.y - FRAME.down }
      const width = around.width + 2 * FRAME.aside
      const height = around.height + 2 * FRAME.down
      addNode(doc, { id, type: 'group', title, ...at, properties: { width, height } }, OWN_EDIT)
      select([id])
      state.focus.set(id)
      return id
    },
    rename: (id, title) => setTitle(doc, id, title, OWN_EDIT),
    resize: (id, { width, height }) =>
      doc.transact(() => {
        setField(doc, id, ['width'], width, OWN_EDIT)
        setField(doc, id, ['height'], height, OWN_EDIT)
      }, OWN_EDIT),
    importFile: file => {
      state.selection.set(NOTHING)
      patchFlow(doc, file, OWN_EDIT)
    },
    putBack: edits => {
      restoreUnplacedEdits(doc, edits, OWN_EDIT)
      select(edits.map(({ block }) => block))
    },
    bringBack: (block, file) =>
      doc.transact(({ changed }) => {
        if (own(file.operators, block) !== undefined) patchBlocks(doc, file, [block], OWN_EDIT)
        return changed.size > 0
      }, OWN_EDIT),
    moveBack: (block, file) =>
      doc.transact(({ changed }) => {
        const { left, top } = own(file.operators, block) ?? {}
        if (typeof left === 'number' && typeof top === 'number')
          moveNodes(doc, new Map([[block, { x: left, y: top }]]), OWN_EDIT)
        return changed.size > 0
      }, OWN_EDIT),
    file: () => exportFlow(doc),
    undo: () => undo.undo(),
    redo: () => undo.redo(),
  }
}
