import { z } from 'zod'
import { bot } from './entities/bot.ts'
import { dialog } from './entities/dialog.ts'
import { dialogtask } from './entities/dialogtask.ts'
import { handler } from './entities/handler.ts'
import { variable } from './entities/variable.ts'
import { variableschema } from './entities/variableschema.ts'
import type { EntityDeclaration } from './entity.ts'
import type { Json } from './event.ts'
import { string, text } from './field/field.ts'
import type { Field } from './field/kind.ts'

export const VERSION_FORMAT = 'parley-version'
export const VERSION_VERSION = 1

/** Fields that a version carries: what people set, except secrets, lists that hold some, and its parent. */
export const versionFields = (entity: EntityDeclaration): readonly string[] =>
  Object.entries(entity.fields)
    .filter(([, field]) => !field.readonly && !field.fixed && !holdsSecret(field))
    .map(([name]) => name)

const holdsSecret = (field: Field): boolean =>
  field.secret ||
  field.secretWhen !== undefined ||
  (field.kind === 'list' && Object.values(field.item).some(member => member.secret))

const thingSchema = <More extends z.ZodRawShape>(entity: EntityDeclaration, more: More) => {
  const shape: Record<string, z.ZodType> = {}
  for (const name of versionFields(entity)) {
    const field = entity.fields[name]
    if (field !== undefined)
      shape[name] = field.required && field.when === undefined ? field.schema : field.schema.nullable().optional()
  }
  return z.object({ ...shape, id: z.string().max(100).optional(), ...more })
}

/** Checked by `parseFlowFile` when the version file is read. */
const flow = z.unknown()

/** A bot at rest, for keeping, download and upload. Ids are those of where it was taken; members beyond these are ignored. */
export const versionFileSchema = z.object({
  format: z.literal(VERSION_FORMAT),
  version: z.literal(VERSION_VERSION),
  name: string().schema,
  description: text({ max: 2000 }).schema.nullable().optional(),
  bot: thingSchema(bot, {}),
  dialogtasks: z.array(
    thingSchema(dialogtask, {
      dialogs: z.array(thingSchema(dialog, { flow })).default([]),
      handlers: z
        .array(
          thingSchema(handler, {
            flow,
            js: z
              .string()
              .refine(script => script.isWellFormed())
              .optional(),
          }),
        )
        .default([]),
    }),
  ),
  variables: z.array(thingSchema(variable, {})).default([]),
  variableschemas: z.array(thingSchema(variableschema, {})).default([]),
})

type Fields = { readonly [field: string]: Json }
export type VersionThing = Fields & { readonly id?: string }
export type VersionDialog = VersionThing & { readonly flow: Json; readonly js?: string }
export type VersionTask = VersionThing & {
  readonly dialogs: readonly VersionDialog[]
  readonly handlers: readonly VersionDialog[]
}

export type VersionFile = {
  readonly format: typeof VERSION_FORMAT
  readonly version: typeof VERSION_VERSION
  readonly name: string
  readonly description?: string | null
  readonly bot: VersionThing
  readonly dialogtasks: readonly VersionTask[]
  readonly variables: readonly VersionThing[]
  readonly variableschemas: readonly VersionThing[]
}
