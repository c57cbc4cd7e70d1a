import * as Y from 'yjs'
import { keepMarks, meteredLoad, TooCostly } from '#domain/flow/document/integration-cost.ts'
import { numberOf, type StatementCache } from '../statement-cache.ts'

/** A flow's document at the newest of its recorded updates. Throws `TooCostly`. */
const flowDocument = (statements: StatementCache, flow: number): Y.Doc => {
  const doc = new Y.Doc()
  const keyframe = statements.get(
    'SELECT revision, state FROM flow_keyframe WHERE flow = ? ORDER BY revision DESC LIMIT 1',
    flow,
  )
  const updates = statements.all(
    'SELECT data FROM flow_update WHERE flow = ? AND revision > ? ORDER BY revision',
    flow,
    numberOf(keyframe, 'revision'),
  )
  keepMarks(doc)
  meteredLoad(() =>
    doc.transact(() => {
      if (keyframe?.state instanceof Uint8Array) Y.applyUpdate(doc, keyframe.state)
      for (const { data } of updates) if (data instanceof Uint8Array) Y.applyUpdate(doc, data)
    }),
  )
  return doc
}

/**
 * The document; undefined when its content takes too long to integrate: the projection continues without it, and reads
 * of the flow use the log, which refuses it as well.
 */
export const readableDocument = (statements: StatementCache, flow: number): Y.Doc | undefined => {
  try {
    return flowDocument(statements, flow)
  } catch (error) {
    if (error instanceof TooCostly) return undefined
    throw error
  }
}

/** Freezes the document at a revision; the updates it is made of are no longer needed here. */
export const makeKeyframe = (statements: StatementCache, flow: number, revision: number, hash: string): void => {
  const doc = readableDocument(statements, flow)
  if (doc === undefined) return
  const state = Y.encodeStateAsUpdate(doc)
  doc.destroy()
  saveKeyframe(statements, flow, { revision, hash, state })
}

interface SavedKeyframe {
  readonly revision: number
  readonly hash: string
  /** Yjs state, v1 update encoding. */
  readonly state: Uint8Array
}

export const saveKeyframe = (
  statements: StatementCache,
  flow: number,
  { revision, hash, state }: SavedKeyframe,
): void => {
  statements.run('INSERT OR REPLACE INTO flow_keyframe VALUES (?, ?, ?, ?)', flow, revision, hash, state)
  statements.run('DELETE FROM flow_update WHERE flow = ? AND revision <= ?', flow, revision)
}

export interface Miniature {
  readonly blocks: number
  readonly data: string
}

/** Position and type of each block: enough to draw a flow on a card. */
export const miniatureOf = (doc: Y.Doc | undefined): Miniature => {
  const blocks: [x: number, y: number, type: string][] = []
  for (const node of doc?.getMap('nodes').values() ?? []) {
    if (!(node instanceof Y.Map)) continue
    const { x, y } = placeOf(node.get('pos'))
    blocks.push([x, y, String(node.get('type') ?? '')])
  }
  blocks.sort((one, other) => one[1] - other[1] || one[0] - other[0] || (one[2] < other[2] ? -1 : 1))
  return { blocks: blocks.length, data: JSON.stringify(blocks.slice(0, DRAWN)) }
}

export const saveMiniature = (statements: StatementCache, flow: number, revision: number, drawn: Miniature): void => {
  const sql = 'INSERT OR REPLACE INTO flow_miniature VALUES (?, ?, ?, ?)'
  statements.run(sql, flow, revision, drawn.blocks, drawn.data)
}

export const makeMiniature = (statements: StatementCache, flow: number, revision: number): void => {
  const doc = readableDocument(statements, flow)
  saveMiniature(statements, flow, revision, miniatureOf(doc))
  doc?.destroy()
}

const DRAWN = 400

const placeOf = (pos: unknown): { x: number; y: number } => {
  if (typeof pos !== 'object' || pos === null || !('x' in pos) || !('y' in pos)) return { x: 0, y: 0 }
  return { x: rounded(pos.x), y: rounded(pos.y) }
}

const rounded = (value: unknown): number => (typeof value === 'number' ? Math.round(value) : 0)
