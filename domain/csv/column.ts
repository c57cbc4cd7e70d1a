import type { EntityDeclaration } from '#schemas/entity.ts'

/** Columns that identify a row: `hierarchylevel` only where a thing carries its own level. */
export const keyColumns = ({ scope }: EntityDeclaration): readonly string[] =>
  scope === 'level' ? ['id', 'revision', 'hierarchylevel'] : ['id', 'revision']

/** Fields in the CSV of an entity. Secrets have no column. */
export const fieldColumns = ({ fields, export: declared }: EntityDeclaration): readonly string[] =>
  (declared?.columns ?? Object.keys(fields)).filter(name => {
    const field = fields[name]
    return field !== undefined && !field.secret && !field.internal && field.kind !== 'password'
  })
