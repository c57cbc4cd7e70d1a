import { fileIdsIn } from '#domain/field/file-values.ts'
import { mapAt, nodesOf } from '#domain/flow/document/document.ts'
import { readNode } from '#domain/flow/document/read-flow.ts'
import { referenceFieldsOf, referencesOf } from '#domain/flow/graph/references.ts'
import type { Json } from '#schemas/event.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import type { StatementCache } from '../statement-cache.ts'
import type { Column, Table } from '../table.ts'
import { readableDocument } from './flow-keyframe.ts'

const KINDS: ReadonlySet<string> = new Set(['reference', 'references'])
const INSERT = 'INSERT OR IGNORE INTO reference VALUES (?, ?, ?, ?, ?)'
const DELETE_FIELD = "DELETE FROM reference WHERE target = ? AND entity = ? AND id = ? AND block = '' AND field = ?"
const DELETE_FLOW = "DELETE FROM reference WHERE id = ? AND block <> ''"
/** Block properties that never hold a reference, in any type. */
const PLAIN: ReadonlySet<string> = new Set(['pos', 'title', 'inputs', 'outputs'])
/** The writer cuts long lists of a summary: a list of this length may name only a part of what changed. */
const MAX_COMPLETE = 99

interface FlowKey {
  readonly key: number
  readonly entity: string
  readonly id: string
}

/** The reverse of every reference, by target: held by a field of an entity or by a block of a flow. The parent field is not a reference. */
export class ReferenceIndex {
  readonly #statements: StatementCache
  readonly #pending = new Map<number, FlowKey>()

  constructor(statements: StatementCache) {
    this.#statements = statements
  }

  replace(table: Table, column: Column, id: string, before: Json, after: Json): void {
    if (!KINDS.has(column.kind) || (column.name === table.parent && table.holdsParent !== true)) return
    const [old, wanted] = [idsIn(before), idsIn(after)]
    for (const target of old.difference(wanted)) {
      this.#statements.run(DELETE_FIELD, target, table.name, id, column.name)
    }
    for (const target of wanted.difference(old)) {
      this.#statements.run(INSERT, target, table.name, id, '', column.name)
    }
  }

  /** Derives the references of a flow at the end of the batch, once for all of its edits. */
  deriveLater(flow: FlowKey): void {
    this.#pending.set(flow.key, flow)
  }

  flush(): void {
    for (const flow of this.#pending.values()) this.#replaceFlow(flow)
    this.#pending.clear()
  }

  /** A flow too costly to read has no references. */
  #replaceFlow({ key, entity, id }: FlowKey): void {
    this.#statements.run(DELETE_FLOW, id)
    const doc = readableDocument(this.#statements, key)
    if (doc === undefined) return
    const nodes = nodesOf(doc)
    for (const block of nodes.keys()) {
      const type = mapAt(nodes, block)?.get('type')
      const mayRefer = typeof type === 'string' && referenceFieldsOf(type).size > 0
      const node = mayRefer ? readNode(doc, block) : undefined
      if (node === undefined) continue
      for (const { id: target, field } of referencesOf(node)) {
        this.#statements.run(INSERT, target, entity, id, block, field)
      }
    }
    doc.destroy()
  }
}

const idsIn = (value: Json): ReadonlySet<string> => {
  if (typeof value === 'string') return new Set([value])
  return new Set(Array.isArray(value) ? value.filter(id => typeof id === 'string') : [])
}

/** Whether an edit may have changed the references of a flow. */
export const mayChangeReferences = ({ added, changed, removed, links }: FlowSummary): boolean => {
  const lists = [added, changed, removed, links.added, links.changed, links.removed]
  return (
    lists.some(list => list.length > MAX_COMPLETE) ||
    [...added, ...removed].some(({ type }) => referenceFieldsOf(type).size > 0) ||
    changed.some(({ type, fields }) => fields.some(name => mayBeReference(type, name)))
  )
}

/** A summary names a property by its dotted name. Properties of an undeclared type are not references. */
const mayBeReference = (type: string, name: string): boolean => {
  if (PLAIN.has(name)) return false
  return name === 'type' || name === 'properties' || referenceFieldsOf(type).has(name.split('.')[0] ?? name)
}

/** Things that hold or held a file: a reader of one of them may read the file. */
export class FileHolders {
  readonly #statements: StatementCache

  constructor(statements: StatementCache) {
    this.#statements = statements
  }

  add(table: Table, column: Column, id: string, value: Json): void {
    for (const file of fileIdsIn(column.kind, value))
      this.#statements.run('INSERT OR IGNORE INTO file_holder VALUES (?, ?, ?)', file, table.name, id)
  }
}
