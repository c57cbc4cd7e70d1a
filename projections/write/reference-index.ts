import type { StatementSync } from 'node:sqlite'
import type * as Y from 'yjs'
import { fileIdsIn } from '#domain/field/stored-items.ts'
import { mapAt, nodesOf } from '#domain/flow/document/document.ts'
import { readNode } from '#domain/flow/document/read-flow.ts'
import { referenceFieldsOf, referencesOf } from '#domain/flow/graph/references.ts'
import type { Json } from '#schemas/event.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import { foldText } from '../fold-text.ts'
import { numberOf, type SqlRow, type StatementCache, stringOf, textOf } from '../statement-cache.ts'
import { type Column, columnName, sortName, type Table, tableName } from '../table.ts'
import { readableDocument } from './flow-keyframe.ts'
import type { LateWork } from './late-work.ts'
import { SORT_KEY_LENGTH } from './row-plan.ts'

const KINDS: ReadonlySet<string> = new Set(['reference', 'references'])
const INSERT = 'INSERT OR IGNORE INTO reference VALUES (?, ?, ?, ?, ?)'
const DELETE_FIELD = "DELETE FROM reference WHERE target = ? AND entity = ? AND id = ? AND block = '' AND field = ?"
const DELETE_FLOW = "DELETE FROM reference WHERE id = ? AND block <> ''"
/** Block properties that never hold a reference, in any type. */
const PLAIN: ReadonlySet<string> = new Set(['pos', 'title', 'inputs', 'outputs'])
/** The writer cuts long lists of a summary: a list of this length may name only a part of what changed. */
const MAX_COMPLETE = 99

export interface FlowKey {
  readonly key: number
  readonly entity: string
  readonly id: string
  readonly revision: number
}

/** The reverse of every reference, by target: held by a field of an entity or by a block of a flow. The parent field is not a reference. */
export class ReferenceIndex {
  readonly #statements: StatementCache
  readonly #late: LateWork
  readonly #pending = new Map<number, FlowKey>()

  constructor(statements: StatementCache, late: LateWork) {
    this.#statements = statements
    this.#late = late
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

  /** Derives the references of a flow at the end of the batch, or of the rebuild, once for all of its edits. */
  deriveLater(flow: FlowKey): void {
    if (!this.#late.defer(LATE_FLOWS, flow.id)) this.#pending.set(flow.key, flow)
  }

  /** Derives the references of flows that a rebuild put off. */
  catchUp(): void {
    for (const flow of lateFlows(this.#statements)) this.#replaceFlow(flow)
  }

  flush(): void {
    for (const flow of this.#pending.values()) this.#replaceFlow(flow)
    this.#pending.clear()
  }

  /** A flow too costly to read has no references. */
  #replaceFlow(flow: FlowKey): void {
    const doc = readableDocument(this.#statements, flow.key)
    this.save(flow, doc === undefined ? [] : referencesIn(doc))
    doc?.destroy()
  }

  save({ entity, id }: FlowKey, references: readonly BlockReference[]): void {
    this.#statements.run(DELETE_FLOW, id)
    for (const { target, block, field } of references) this.#statements.run(INSERT, target, entity, id, block, field)
  }
}

/** No name of an entity: those are the kinds of renamed things. */
export const LATE_FLOWS = 'flow-references'

/** Flows whose references a rebuild put off. */
export const lateFlows = (statements: StatementCache): readonly FlowKey[] =>
  statements
    .all('SELECT key, entity, flow.id, revision FROM flow JOIN late USING (id) WHERE late.kind = ?', LATE_FLOWS)
    .map(row => ({
      key: numberOf(row, 'key'),
      entity: stringOf(row, 'entity'),
      id: stringOf(row, 'id'),
      revision: numberOf(row, 'revision'),
    }))

export interface BlockReference {
  readonly target: string
  readonly block: string
  readonly field: string
}

export const referencesIn = (doc: Y.Doc): readonly BlockReference[] => {
  const nodes = nodesOf(doc)
  const found: BlockReference[] = []
  for (const block of nodes.keys()) {
    const type = mapAt(nodes, block)?.get('type')
    const mayRefer = typeof type === 'string' && referenceFieldsOf(type).size > 0
    const node = mayRefer ? readNode(doc, block) : undefined
    if (node === undefined) continue
    for (const { id: target, field } of referencesOf(node)) found.push({ target, block, field })
  }
  return found
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

interface Holder {
  readonly entity: string
  readonly field: string
  /** The parent column has its own index and is not in the reference index. */
  readonly isParent: boolean
}

/** Sort keys of reference columns: the folded title of the target, copied into the rows that refer to it. */
export class ReferenceTitles {
  readonly #statements: StatementCache
  readonly #tables: ReadonlyMap<string, Table>
  readonly #late: LateWork
  readonly #holders: ReadonlyMap<string, readonly Holder[]>
  readonly #readers = new Map<string, StatementSync>()

  constructor(statements: StatementCache, tables: ReadonlyMap<string, Table>, late: LateWork) {
    this.#statements = statements
    this.#tables = tables
    this.#late = late
    this.#holders = Map.groupBy(
      [...tables.values()].flatMap(({ name, parent, columns }) =>
        columns.flatMap(column =>
          column.sortedByTitleOf === null
            ? []
            : [{ entity: name, field: column.name, isParent: column.name === parent, to: column.sortedByTitleOf }],
        ),
      ),
      ({ to }) => to,
    )
  }

  keyOf(entity: string, id: Json): string | null {
    if (typeof id !== 'string') return null
    const read = this.#readers.get(entity) ?? this.#reader(entity)
    return read === undefined ? null : textOf(read.get(id) as SqlRow | undefined, 'key')
  }

  #reader(entity: string): StatementSync | undefined {
    const table = this.#tables.get(entity)
    if (table === undefined) return undefined
    const sql = `SELECT ${sortName(table.title)} AS key FROM ${tableName(entity)} WHERE id = ?`
    const read = this.#statements.prepare(sql)
    this.#readers.set(entity, read)
    return read
  }

  /** Copies titles that changed during a rebuild, to all rows of a table at once. */
  catchUp(): void {
    for (const [name, holders] of this.#holders) {
      const table = this.#tables.get(name)
      if (table === undefined) continue
      const title = sortName(table.title)
      for (const { entity, field } of holders) {
        const held = columnName(field)
        this.#statements.run(
          `UPDATE ${tableName(entity)} SET ${sortName(field)} = (SELECT ${title} FROM ${tableName(name)} AS named WHERE named.id = ${held})
           WHERE ${held} IN (SELECT id FROM late WHERE kind = ?)`,
          name,
        )
      }
    }
  }

  /** Copies the new title of a thing to all that refer to it. Takes one row update for each. */
  rename({ name }: Table, id: string, title: Json): void {
    const holders = this.#holders.get(name) ?? []
    if (holders.length === 0 || this.#late.defer(name, id)) return
    for (const { entity, field, isParent } of holders) {
      const holders = isParent
        ? `${columnName(field)} = ?`
        : `id IN (SELECT id FROM reference WHERE target = ? AND entity = '${entity}' AND block = '' AND field = '${field}')`
      this.#statements.run(
        `UPDATE ${tableName(entity)} SET ${sortName(field)} = ? WHERE ${holders}`,
        sortKey(title),
        id,
      )
    }
  }
}

const sortKey = (title: Json): string | null =>
  typeof title === 'string' ? foldText(title).slice(0, SORT_KEY_LENGTH) : null
