import { ENTITIES, isEntityName } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Field, FieldKind } from '#schemas/field/kind.ts'
import { ModelFolder } from './model-file.ts'
import { NodeReadModels, type ReadModelsOptions } from './node-read-models.ts'
import type { ReadModels } from './port.ts'
import { QueryPool } from './query-pool.ts'
import type { Column, Table } from './table.ts'

const TEXTUAL: ReadonlySet<FieldKind> = new Set(['string', 'text', 'email', 'url', 'phone'])

const columnOf = (name: string, field: Field, listed: boolean): Column => {
  const sortedByTitleOf = field.kind === 'reference' && hasPlainTitle(field.to) ? (field.to ?? null) : null
  const isText = listed && TEXTUAL.has(field.kind) && !field.secret && field.secretWhen === undefined
  const indexed = listed || field.kind === 'reference' || field.kind === 'enumeration'
  return {
    name,
    kind: field.kind,
    secret: field.secret,
    secretWhen: field.secretWhen ?? null,
    personal: field.personal,
    folded: isText || sortedByTitleOf !== null,
    sortedByTitleOf,
    indexed: indexed && !field.secret,
    ...(field.unversioned === true ? { unversioned: true as const } : {}),
    ...(field.words === true ? { words: true as const } : {}),
    ...(field.fallback === undefined ? {} : { fallback: field.fallback }),
    initial: JSON.stringify(field.initial),
  }
}

/** A personal title is not copied to other rows: it could not be forgotten there. */
const hasPlainTitle = (entity = ''): boolean => {
  const target: EntityDeclaration | undefined = isEntityName(entity) ? ENTITIES[entity] : undefined
  const title = target?.fields[target.title]
  return title !== undefined && TEXTUAL.has(title.kind) && !title.personal && !title.secret
}

/** The table of a declared entity. Apart from table.ts, so that workers need not load the declarations. */
export const tableOf = (entity: EntityDeclaration): Table => {
  const listed = new Set([entity.title, ...entity.list.columns.map(column => column.field)])
  return {
    name: entity.name,
    type: entity.type,
    title: entity.title,
    parent: parentField(entity) ?? null,
    ...(entity.onParentRemoved === 'refuse' ? { holdsParent: true } : {}),
    removedWith: Object.keys(entity.fields).filter(name => entity.fields[name]?.onTargetRemoved === 'remove'),
    ...(entity.withoutParent === undefined ? {} : { ownLevel: true }),
    ...(entity.cardinality === 'one' ? { single: true } : {}),
    columns: Object.entries(entity.fields)
      .filter(([, field]) => !field.internal)
      .map(([name, field]) => columnOf(name, field, listed.has(name))),
    search: entity.list.search,
  }
}

/**
 * Opens the read models of this node; answers at once, from what was shown last, and catches up meanwhile. `lookup` is
 * what commands look up.
 */
export const openReadModels = async (options: ReadModelsOptions): Promise<NodeReadModels> => {
  const declarations = Object.values<EntityDeclaration>(options.entities ?? ENTITIES)
  const models = new NodeReadModels(new ModelFolder(options.folder), declarations.map(tableOf), options)
  await models.open()
  return models
}

export type ServedAudit = Pick<ReadModels, 'audit' | 'close'>

/**
 * Audit of a running node, read from its file; later writes of the node are visible. @throws Error with one line when
 * there is no such file
 */
export const openServedAudit = (folder: string): ServedAudit => {
  const file = new ModelFolder(folder).pointed()
  if (file === undefined) throw new Error(`There are no read models in ${folder} yet`)
  const pool = new QueryPool(file, 1)
  return {
    audit: (...args) => pool.ask('audit', args) as ReturnType<ReadModels['audit']>,
    close: () => pool.close(),
  }
}
