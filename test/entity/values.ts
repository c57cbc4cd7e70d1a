import { hiddenFields, initialValues } from '#domain/field/stored-items.ts'
import { apitoken } from '#schemas/entities/apitoken.ts'
import { conversationtest } from '#schemas/entities/conversationtest.ts'
import { segment } from '#schemas/entities/segment.ts'
import { serviceaccount } from '#schemas/entities/serviceaccount.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Field, FieldKind, ListField } from '#schemas/field/kind.ts'

/** A conversation test that passes with any bot: a failing one blocks all publishing. */
export const testFileOf = (words: string): string =>
  JSON.stringify({ format: 'parley-test', version: 1, name: words, loose: true, steps: [{ user: words }] })
const TOKEN_LIFE_MS = 30 * 86_400_000
const ruleOf = (words: string): Json => ({ all: [{ field: 'nome', op: 'is', value: words }] })

/** A value with `words`, for fields that follow rules beside their declaration. */
export const ruledValueOf = (field: Field, words: string): Json | undefined => {
  if (field === conversationtest.fields.file) return testFileOf(words)
  if (field === serviceaccount.fields.addresses) return ['10.0.0.0/8', '127.0.0.1']
  if (field === apitoken.fields.scopes) return ['readbot']
  if (field === apitoken.fields.expires) return new Date(Date.now() + TOKEN_LIFE_MS).toISOString()
  return field === segment.fields.rule ? ruleOf(words) : undefined
}

/** Values to try for a kind of field, made unique by `mark`; the first ones that the field accepts are used. */
const candidates = (field: Field, mark: string): readonly Json[] => {
  const ruled = [mark, `Walk ${mark}`].flatMap(words => ruledValueOf(field, words) ?? [])
  if (ruled.length > 0) return ruled
  const { kind, options } = field
  // Some fields take digits alone, a key, a clock, a date or a currency.
  const key = mark.toLowerCase().replaceAll(/[^a-z0-9_-]/gu, '-')
  const digits = mark.replace(/\D/gu, '')
  const words = [
    `Walk ${mark}`,
    mark,
    'https://walk.example/',
    digits,
    key,
    `w${key}`,
    '08:00',
    '18:00',
    '2026-01-02',
    'BRL',
  ]
  const others: Partial<Record<FieldKind, readonly Json[]>> = {
    email: [`${mark}@walk.example`, `${mark}@other.example`],
    integer: [1, 2, 40, 41],
    duration: [1000, 2000],
    color: ['#102030', '#405060'],
    cron: ['0 8 * * 1', '0 9 * * 1'],
    phone: ['+5511987654321', '+5511912345678'],
    number: [1, 2, 40.5],
    boolean: [true, false],
    enumeration: options ?? [],
    json: [{ type: 'object' }, { type: 'string' }],
    strings: options === undefined ? [[mark], []] : [options.slice(0, 1), []],
    time: ['2026-01-02T03:04:05.000Z', '2026-01-02T03:04:06.000Z'],
  }
  if (field.kind === 'list') return [[itemOf(field, mark)], []]
  return others[kind] ?? words
}

/** Members that the others leave out (`when`) are null. */
const itemOf = ({ item }: ListField, mark: string): JsonObject => {
  const open = Object.entries(item).filter(([, field]) => !field.secret)
  const values = Object.fromEntries(open.map(([name, field]) => [name, valuesFor(field, mark)[0] ?? null]))
  const hidden = hiddenFields(item, values)
  return {
    id: mark,
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hidden.has(name) ? null : value])),
  }
}

export const valuesFor = (field: Field, mark: string): readonly Json[] =>
  candidates(field, mark).filter(value => field.schema.safeParse(value).success)

const NOT_GENERATED: ReadonlySet<FieldKind> = new Set(['reference', 'references', 'password', 'boolean', 'file'])

/** Fields that accept a value without a reference to other data. */
export const givable = ({ fields }: EntityDeclaration, ruled: readonly string[]): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const isFree = !field.readonly && !NOT_GENERATED.has(field.kind) && !ruled.includes(name)
    return isFree ? [name] : []
  })

/** A changeable field whose value everybody with `read` sees as it was given. */
export const changeable = (entity: EntityDeclaration, ruled: readonly string[]): readonly string[] =>
  givable(entity, ruled).filter(name => {
    const field = entity.fields[name]
    return field !== undefined && !field.fixed && field.secretWhen === undefined && !holdsSecret(field)
  })

const holdsSecret = (field: Field): boolean =>
  field.secret || (field.kind === 'list' && Object.values(field.item).some(holdsSecret))

/** Given values without those of fields that the others leave out (`when`); of `names` alone where they are given. */
export const withoutHidden = (
  { fields }: EntityDeclaration,
  values: JsonObject,
  names: readonly string[] = Object.keys(values),
): JsonObject => {
  const hidden = hiddenFields(fields, { ...initialValues(fields), ...values })
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name) && !hidden.has(name)))
}

/** References, other than the parent, that must be given with these values. */
export const neededReferences = ({ fields, parent }: EntityDeclaration, values: JsonObject): readonly string[] => {
  const hidden = hiddenFields(fields, { ...initialValues(fields), ...values })
  return Object.entries(fields).flatMap(([name, { kind, required }]) =>
    kind === 'reference' && required && name !== parent && !hidden.has(name) ? [name] : [],
  )
}
