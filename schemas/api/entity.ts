import { z } from 'zod'
import { changeSchema, createSchema, type EntityDeclaration } from '../entity.ts'
import type { Field, ListField } from '../field/kind.ts'
import { fieldProblemSchema, json, named } from './common.ts'
import { flag } from './query.ts'

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

/** Ids that one command names; a filter selects more. */
const MAX_IDS = 10_000

const id = z.string().min(1).max(200)

/** A command on many things: those named, or those that a list holds over all its pages. */
export const bulkBody = named(
  'Bulk',
  z
    .strictObject({
      action: z.string().max(100),
      ids: z.array(id).min(1).max(MAX_IDS).optional(),
      /** As in the query of the list. */
      filter: z.record(z.string().max(100), z.union([z.string().max(500), z.number(), z.boolean()])).optional(),
      input: z.record(z.string(), json).optional(),
      confirm: z.string().max(100).optional(),
    })
    .refine(({ ids, filter }) => ids !== undefined || filter !== undefined, {
      path: ['ids'],
      params: { code: 'required' },
    })
    .refine(({ ids, filter }) => ids === undefined || filter === undefined, {
      path: ['filter'],
      params: { code: 'duplicate' },
    }),
)

export const processStartedSchema = named('ProcessStarted', z.object({ process: z.string() }))

export const undoBody = z.strictObject({})

/** Process state. `refused` names the first rows; `refusals` counts all of them. */
export const processSchema = named(
  'Process',
  z.object({
    state: z.enum(['running', 'finished', 'failed']),
    entity: z.string(),
    action: z.string(),
    done: z.int(),
    total: z.int(),
    changed: z.int(),
    refusals: z.int(),
    refused: z.array(
      z.object({
        id: z.string(),
        code: z.string(),
        message: z.string(),
        errors: z.array(fieldProblemSchema).optional(),
      }),
    ),
    /** POST /process/{id}/undo brings back what it changed. */
    undo: z.boolean(),
  }),
)

const error = z.object({ path: z.string(), code: z.string(), message: z.string() })

/** CSV, one record per row. */
export const importBody = z.string()

/** Result of an import, or preview with `dryrun`. `items` holds the first 1,000 rows. */
export const importSchema = named(
  'Import',
  z.object({
    rows: z.int(),
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    refused: z.array(z.object({ row: z.int(), errors: z.array(error) })),
    items: z
      .array(
        z.object({
          row: z.int(),
          outcome: z.enum(['created', 'changed', 'unchanged', 'refused']),
          id: z.string().optional(),
          changes: z.array(z.object({ path: z.string(), before: json, after: json })).optional(),
        }),
      )
      .optional(),
    /** Of what was written. */
    process: z.string().optional(),
  }),
)

/** `parent`: the parent field, for rows without a column for it. */
export const importQuery = (parent: string | undefined) =>
  z.strictObject({
    dryrun: flag.default(false),
    ...(parent === undefined ? {} : { [parent]: z.string().max(200).optional() }),
  })
