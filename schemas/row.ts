import type { ENTITIES, EntityName } from './entities/registry.ts'
import type { JsonObject } from './event.ts'
import type { FieldValues } from './field/row-value.ts'

/** Columns of every row. */
type Envelope = {
  readonly id: string
  readonly revision: number
  readonly hierarchylevel: string | null
  readonly created_at: string
  readonly modified_at: string
  readonly created_by: string | null
  readonly modified_by: string | null
}

/** A row of an entity that is known at run time alone. */
export type Row = JsonObject & Envelope

/** A row of a declared entity: its columns and the values of its fields. */
export type RowOf<Name extends EntityName> = Name extends EntityName
  ? Envelope & FieldValues<(typeof ENTITIES)[Name]['fields']>
  : never

/** A row of the entity with this name; a plain one for a name that is known at run time alone. */
export type NamedRow<Name extends string> = [EntityName] extends [Name]
  ? Row
  : Name extends EntityName
    ? RowOf<Name>
    : Row
