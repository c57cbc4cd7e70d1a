import { z } from 'zod'
import type { Json } from '../event.ts'
import type { FileType } from './file-type.ts'
import type { Field, ItemFields } from './kind.ts'
import { line } from './text-schema.ts'

/** An upload's id as POST /file gives it. */
export const FILE_ID = /^[\da-f]{64}$/

interface FileLimits {
  readonly accept: readonly FileType[]
  readonly maxBytes: number
}

/** An uploaded file as a field holds it. */
export const fileSchema = ({ accept, maxBytes }: FileLimits) =>
  z.strictObject({
    id: z.string().regex(FILE_ID),
    name: line(255).refine(value => value.trim() !== '', { params: { code: 'required' } }),
    type: z.enum(accept),
    size: z.int().min(1).max(maxBytes),
  })

export type FileValue = z.infer<ReturnType<typeof fileSchema>>

/** A secret of an item that stays as it was. */
const keptSecret = z.strictObject({ set: z.literal(true) })

const itemMember = (field: Field): z.ZodType => {
  const given = field.secret ? z.union([keptSecret, field.schema]).meta({ writeOnly: true }) : field.schema
  const isRequired = field.required && field.when === undefined && !field.secret
  return isRequired ? given : given.nullable().optional()
}

const MAX_ITEM_ID = 100

const hasDistinctIds = (items: readonly { readonly id?: string | undefined }[]): boolean => {
  const ids = items.flatMap(item => item.id ?? [])
  return new Set(ids).size === ids.length
}

/** The items of a list, each with or without its id. */
export const itemsSchema = (item: ItemFields, minItems: number, maxItems: number): z.ZodType<Json> =>
  z
    .array(
      z.strictObject({
        id: line(MAX_ITEM_ID).min(1).optional(),
        ...Object.fromEntries(Object.entries(item).map(([name, field]) => [name, itemMember(field)])),
      }),
    )
    .min(minItems)
    .max(maxItems)
    .refine(hasDistinctIds, { params: { code: 'duplicate' } }) as unknown as z.ZodType<Json>
