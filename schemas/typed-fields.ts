import type { EntityFieldCore } from './field/kind.ts'
import type { InRow, ShownByType } from './field/row-value.ts'

/** Declarations by `type` of an entity: fields that only some types have, and fields that a type needs to work. */
type TypeDeclarations = Readonly<
  Record<string, { readonly fields: readonly string[]; readonly needs?: readonly string[] }>
>

type NeededBy<D> = D extends { readonly needs: readonly (infer N)[] } ? N : never
type NamedBy<T extends TypeDeclarations> = T[keyof T]['fields'][number] | NeededBy<T[keyof T]>

type Fields = Readonly<Record<string, EntityFieldCore>>

/** The fields, where a required one that only some types show may be null. */
type FieldsByType<T extends TypeDeclarations, F> = {
  readonly [Name in keyof F]: Name extends T[keyof T]['fields'][number]
    ? F[Name] extends InRow<unknown, true>
      ? F[Name] & ShownByType
      : F[Name]
    : F[Name]
}

/** Names of the declared types, in order. */
export const namesOf = <K extends string>(types: Readonly<Record<K, unknown>>): readonly [K, ...K[]] =>
  Object.keys(types) as [K, ...K[]]

/**
 * Fields of an entity, each shown only under the types that list it; fields that no type lists are those of all types.
 * A field that a declaration names and the entity does not have is a compile error.
 */
export const fieldsByType = <T extends TypeDeclarations, F extends Fields>(
  types: T,
  fields: F & { readonly [name in NamedBy<T> & string]: EntityFieldCore },
): FieldsByType<T, F> =>
  Object.fromEntries(
    Object.entries<EntityFieldCore>(fields).map(([name, field]) => {
      const owners = namesOf(types).filter(type => types[type]?.fields.includes(name))
      return [name, owners.length === 0 ? field : { ...field, when: { type: owners, ...field.when } }]
    }),
  ) as FieldsByType<T, F>
