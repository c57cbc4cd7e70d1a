import type { Json } from '../event.ts'

declare const inRow: unique symbol

/** Type of a field's value in a row, given by its builder; it exists in types alone. `isGiven`: required on create. */
export interface InRow<Value, IsGiven extends boolean> {
  readonly [inRow]?: { readonly value: Value; readonly isGiven: IsGiven }
}

declare const byType: unique symbol

/** Of a field that only some types of the entity show: null under the others, even when it is required. */
export interface ShownByType {
  readonly [byType]?: true
}

/** A secret that is set. */
type SecretMark = { readonly set: true }

type RequiredField = { readonly required: true; readonly when?: never }

/**
 * Value of a field with these options in a row, `never` where rows omit it. Null is excluded by `required`, and by an
 * initial value: events without the field get it, and null in a request is replaced by it. A released field that
 * becomes required or gets an initial value needs an upcaster, since older events contain null.
 */
type StoredValue<Value, Options, Initial> = Options extends { readonly internal: true }
  ? never
  : Options extends { readonly secret: true }
    ? SecretMark | null
    : Options extends { readonly secretWhen: string }
      ? Value | SecretMark | null
      : // A forgotten person's values are null, and `per` clears options that are no longer offered.
        Options extends { readonly personal: true } | { readonly per: object }
        ? Value | null
        : Options extends RequiredField
          ? Value
          : Options extends { readonly initial: infer Given }
            ? Given extends null
              ? Value | null
              : Value
            : Initial extends null
              ? Value | null
              : Value

/** A field of kind `Field` whose options are `Options`; `Initial` is the initial value where these give none. */
export type Typed<Field, Value, Options, Initial = null> = Field &
  InRow<StoredValue<Value, Options, Initial>, Options extends RequiredField ? true : false>

type ValueOf<Field> =
  Field extends InRow<infer Value, boolean> ? (typeof byType extends keyof Field ? Value | null : Value) : Json

type Named<Fields, IsGiven extends boolean> = {
  [Name in keyof Fields]: Fields[Name] extends InRow<unknown, IsGiven> ? Name : never
}[keyof Fields]

/** Values of an entity's fields in a row. The read model keeps values of scalar kinds in that kind, or as null. */
export type FieldValues<Fields> = {
  readonly [Name in keyof Fields as [ValueOf<Fields[Name]>] extends [never] ? never : Name]: ValueOf<Fields[Name]>
}

/** An item of a list. Items of older events lack members that were declared later. */
export type ItemValue<Fields> = { readonly id: string } & {
  readonly [Name in Named<Fields, true>]: ValueOf<Fields[Name]>
} & { readonly [Name in Named<Fields, false>]?: ValueOf<Fields[Name]> }
