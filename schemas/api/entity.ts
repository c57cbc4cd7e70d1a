import { z } from 'zod'
import { changeSchema, createSchema, type EntityDeclaration } from '../entity.ts'
import type { Field, ListField } from '../field/kind.ts'
import { named } from './name.ts'

const secretAnswer = z.union([z.object({ set: z.literal(true) }), z.null()])

const answered = (field: Field): z.ZodType => {
  if (field.secret) return secretAnswer
  if (field.secretWhen !== undefined) return z.union([field.schema, secretAnswer])
  if (field.kind === 'list') return z.array(answeredItem(field)).nullable()
  return field.schema.nullable()
}

const answeredItem = ({ item }: ListField): z.ZodObject => {
  const members = Object.entries(item).map(([name, member]) => [name, answered(member)])
  return z.object({ id: z.string(), ...Object.fromEntries(members) })
}

/** A secret is marked as such where it can be given. */
const given = (schema: z.ZodObject, entity: EntityDeclaration): z.ZodObject => {
  const shape = Object.entries(schema.shape).map(([name, member]) => {
    const field = entity.fields[name]
    const hidden = field !== undefined && (field.secret || field.secretWhen !== undefined)
    return [name, hidden ? (member as z.ZodType).meta({ writeOnly: true }) : member]
  })
  return z.strictObject(Object.fromEntries(shape))
}

interface EntitySchemas {
  readonly row: z.ZodObject
  readonly create: z.ZodObject
  readonly change: z.ZodObject
  readonly page: z.ZodObject
}

const made = new WeakMap<EntityDeclaration, EntitySchemas>()

/** The API's shapes of one entity, named after it: `Bot`, `BotCreate`, `BotChange`, `BotPage`. */
export const entitySchemas = (entity: EntityDeclaration): EntitySchemas => {
  const schemas = made.get(entity) ?? make(entity)
  made.set(entity, schemas)
  return schemas
}

const make = (entity: EntityDeclaration): EntitySchemas => {
  const fields = Object.entries(entity.fields)
    .filter(([, field]) => field.kind !== 'password' && !field.internal)
    .map(([name, field]) => [name, answered(field)])
  const row = named(
    entity.type,
    z.object({
      ...Object.fromEntries(fields),
      id: z.string(),
      revision: z.int(),
      hierarchylevel: z.string().nullable(),
      created_at: z.iso.datetime(),
      modified_at: z.iso.datetime(),
      created_by: z.string().nullable(),
      modified_by: z.string().nullable(),
      /** In lists of what was removed. */
      removed: z.literal(true).optional(),
    }),
  )
  const page = z.object({ items: z.array(row), total: z.int(), page: z.int(), size: z.int() })
  return {
    row,
    create: named(`${entity.type}Create`, given(createSchema(entity), entity)),
    change: named(`${entity.type}Change`, given(changeSchema(entity), entity)),
    page: named(`${entity.type}Page`, page),
  }
}
