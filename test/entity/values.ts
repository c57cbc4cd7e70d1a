import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { Field, FieldKind, ListField } from '#schemas/field/kind.ts'

/** Values to try for a kind of field, `mark` told apart from others; the first ones that the field accepts are used. */
const candidates = (field: Field, mark: string): readonly Json[] => {
  const { kind, options } = field
  const words = [`Walk ${mark}`, mark, 'https://walk.example/']
  const others: Partial<Record<FieldKind, readonly Json[]>> = {
    email: [`${mark}@walk.example`, `${mark}@other.example`],
    integer: [1, 2, 40, 41],
    number: [1, 2, 40.5],
    boolean: [true, false],
    enumeration: options ?? [],
    json: [{ type: 'object' }, { type: 'string' }],
    strings: [[mark], []],
    time: ['2026-01-02T03:04:05.000Z', '2026-01-02T03:04:06.000Z'],
  }
  if (field.kind === 'list') return [[itemOf(field, mark)], []]
  return others[kind] ?? words
}

const itemOf = ({ item }: ListField, mark: string): Json => {
  const open = Object.entries(item).filter(([, field]) => !field.secret)
  return { id: mark, ...Object.fromEntries(open.map(([name, field]) => [name, valuesFor(field, mark)[0] ?? null])) }
}

export const valuesFor = (field: Field, mark: string): readonly Json[] =>
  candidates(field, mark).filter(value => field.schema.safeParse(value).success)

const NOT_GENERATED: ReadonlySet<FieldKind> = new Set(['reference', 'references', 'password', 'boolean', 'file'])

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
    const holdsSecret = field?.kind === 'list' && Object.values(field.item).some(({ secret }) => secret)
    return field !== undefined && !field.fixed && !field.secret && field.secretWhen === undefined && !holdsSecret
  })
