import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { Field, FieldKind } from '#schemas/field/kind.ts'

/** Values to try for a kind of field, `mark` told apart from others; the first ones that the field accepts are used. */
const candidates = ({ kind, options }: Field, mark: string): readonly Json[] => {
  const words = [`Walk ${mark}`, mark, 'https://walk.example/']
  const others: Partial<Record<FieldKind, readonly Json[]>> = {
    email: [`${mark}@walk.example`, `${mark}@other.example`],
    integer: [1, 2, 40, 41],
    number: [1, 2, 40.5],
    boolean: [true, false],
    enumeration: options ?? [],
    json: [{ type: 'object' }, { type: 'string' }],
    strings: options === undefined ? [[mark], []] : [options.slice(0, 1), []],
    time: ['2026-01-02T03:04:05.000Z', '2026-01-02T03:04:06.000Z'],
  }
  return others[kind] ?? words
}

export const valuesFor = (field: Field, mark: string): readonly Json[] =>
  candidates(field, mark).filter(value => field.schema.safeParse(value).success)

const NOT_GENERATED: ReadonlySet<FieldKind> = new Set(['reference', 'references', 'password', 'boolean'])

/** Fields that can be given a value that stands for nothing else in the installation. */
export const givable = ({ fields }: EntityDeclaration, ruled: readonly string[]): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const isFree = !field.readonly && !NOT_GENERATED.has(field.kind) && !ruled.includes(name)
    return isFree ? [name] : []
  })

/** A changeable field whose value everybody with `read` sees as it was given. */
export const changeable = (entity: EntityDeclaration, ruled: readonly string[]): readonly string[] =>
  givable(entity, ruled).filter(name => {
    const field = entity.fields[name]
    return field !== undefined && !field.fixed && !field.secret && field.secretWhen === undefined
  })
