import { z } from 'zod'
import { ENTITIES } from './entities/registry.ts'
import { type EntityDeclaration, isSingle } from './entity.ts'
import type { Json } from './event.ts'
import { string, text } from './field/field.ts'
import { VERSION_ROOT, versionedChildren, versionFields, versionMember } from './versioned.ts'

export const VERSION_FORMAT = 'parley-version'
export const VERSION_VERSION = 1

/** Absent is: leave it as it is. The name is needed to find the thing that is there. */
const fieldSchema = (entity: EntityDeclaration, name: string): z.ZodType | undefined => {
  const field = entity.fields[name]
  if (field === undefined) return undefined
  // A thing that came with a version of another bot has none until people set it.
  const mayBeNone = !field.required || field.when !== undefined || field.perEnvironment === true
  if (mayBeNone) return field.schema.nullable().optional()
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

/**
 * Flows are checked by `parseFlowFile` when the version file is read. `release` is what is published: members that it
 * lacks are as in the drawing, and null is a flow that is not published. A file without it does not know.
 */
const flowShape = ({ flow }: EntityDeclaration): Record<string, z.ZodType> => {
  if (flow === undefined) return {}
  const script = z
    .string()
    .refine(code => code.isWellFormed())
    .optional()
  const release = z.object({ flow: z.unknown().optional(), ...(flow.script ? { js: script } : {}) })
  const drawn = { flow: z.unknown(), release: release.nullable().optional() }
  return flow.script ? { ...drawn, js: script } : drawn
}

const id = z.string().max(100).optional()

const thingSchema = (entity: EntityDeclaration): z.ZodType =>
  z.object({ ...fieldShape(entity), id, ...flowShape(entity), ...memberShape(entity) })

/**
 * A stored bot, for backup, download and upload. Ids are those of its source. An absent list or field leaves the bot's
 * unchanged: a file that is older than an entity does not contain it. Members beyond these are ignored.
 */
export const versionFileSchema = z.object({
  format: z.literal(VERSION_FORMAT),
  version: z.literal(VERSION_VERSION),
  name: string().schema,
  description: text({ max: 2000 }).schema.nullable().optional(),
  [VERSION_ROOT]: z.object({ ...fieldShape(ENTITIES[VERSION_ROOT]), id }),
  ...memberShape(ENTITIES[VERSION_ROOT]),
})

/** Its fields, its flow and script if it has them, and its children by `versionMember`. */
export type VersionThing = { readonly [member: string]: Json } & { readonly id?: string }

/** Children of the bot are members by `versionMember`. */
export type VersionFile = { readonly [member: string]: Json } & {
  readonly format: typeof VERSION_FORMAT
  readonly version: typeof VERSION_VERSION
  readonly name: string
  readonly description?: string | null
  readonly bot: VersionThing
}
