import { z } from 'zod'
import { ENTITIES } from './entities/registry.ts'
import { type EntityDeclaration, parentField } from './entity.ts'
import type { Json } from './event.ts'
import { string, text } from './field/field.ts'
import { isSingle } from './single.ts'
import { VERSION_ROOT, versionedChildren, versionMember } from './versioned.ts'

export const VERSION_FORMAT = 'parley-version'
export const VERSION_VERSION = 1

/**
 * Fields that a version carries: what people set, except secrets and the parent. A field that is secret while another
 * one is true is left out of the things in which it is.
 */
export const versionFields = (entity: EntityDeclaration): readonly string[] =>
  Object.entries(entity.fields).flatMap(([name, field]) => {
    const isLeftOut = field.readonly || field.secret || field.personal || field.internal || name === parentField(entity)
    return isLeftOut ? [] : [name]
  })

/** Absent is: leave it as it is. The name is needed to find the thing that is there. */
const fieldSchema = (entity: EntityDeclaration, name: string): z.ZodType | undefined => {
  const field = entity.fields[name]
  if (field === undefined) return undefined
  if (!field.required || field.when !== undefined) return field.schema.nullable().optional()
  return name === entity.title && !isSingle(entity) ? field.schema : field.schema.optional()
}

const fieldShape = (entity: EntityDeclaration): Record<string, z.ZodType> =>
  Object.fromEntries(
    versionFields(entity).flatMap(name => {
      const schema = fieldSchema(entity, name)
      return schema === undefined ? [] : [[name, schema]]
    }),
  )

const memberShape = (entity: EntityDeclaration): Record<string, z.ZodType> =>
  Object.fromEntries(
    versionedChildren(ENTITIES, entity).map(child => {
      const thing = thingSchema(child)
      return [versionMember(child), isSingle(child) ? thing.optional() : z.array(thing).optional()]
    }),
  )

/** A flow is checked by `parseFlowFile` when the version file is read. */
const flowShape = ({ flow }: EntityDeclaration): Record<string, z.ZodType> => {
  if (flow === undefined) return {}
  const script = z
    .string()
    .refine(code => code.isWellFormed())
    .optional()
  return flow.script ? { flow: z.unknown(), js: script } : { flow: z.unknown() }
}

const id = z.string().max(100).optional()

const thingSchema = (entity: EntityDeclaration): z.ZodType =>
  z.object({ ...fieldShape(entity), id, ...flowShape(entity), ...memberShape(entity) })

/**
 * A bot at rest, for keeping, download and upload. Ids are those of where it was taken. A list that is absent, and a
 * field that is, leaves the bot's as they are: a file that is older than an entity knows nothing of it. Members beyond
 * these are ignored.
 */
export const versionFileSchema = z.object({
  format: z.literal(VERSION_FORMAT),
  version: z.literal(VERSION_VERSION),
  name: string().schema,
  description: text({ max: 2000 }).schema.nullable().optional(),
  [VERSION_ROOT]: z.object({ ...fieldShape(ENTITIES[VERSION_ROOT]), id }),
  ...memberShape(ENTITIES[VERSION_ROOT]),
})

/** Its fields, its flow and script where it has them, and by `versionMember` what lies in it. */
export type VersionThing = { readonly [member: string]: Json } & { readonly id?: string }

/** What lies in the bot directly is a member by `versionMember`. */
export type VersionFile = { readonly [member: string]: Json } & {
  readonly format: typeof VERSION_FORMAT
  readonly version: typeof VERSION_VERSION
  readonly name: string
  readonly description?: string | null
  readonly bot: VersionThing
}
