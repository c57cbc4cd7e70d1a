import { z } from 'zod'
import type { BlockField, BlockFields, ListField } from './block-field.ts'

/** Characters of a reference and of each of several texts, and how many of these there may be. */
export const MAX_NAME_LENGTH = 1000
export const MAX_NAMES = 1000
export const MAX_RICH_LENGTH = 1_000_000
/** Characters of a block's title. */
export const MAX_TITLE_LENGTH = 10_000

const bounded = (base: z.ZodNumber, min: number | undefined, max: number | undefined) => {
  const low = min === undefined ? base : base.min(min)
  return max === undefined ? low : low.max(max)
}

const line = (max: number, required: boolean) => {
  const base = z.string().max(max)
  return required ? base.refine(value => value.trim() !== '', { params: { code: 'required' } }) : base
}

const fieldsSchema = (fields: BlockFields) =>
  z.looseObject(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, blockFieldSchema(field).optional()])),
  )

const listSchema = (field: ListField): z.ZodType => {
  const bare = field.bare === undefined ? undefined : field.item[field.bare]
  const item = fieldsSchema(field.item)
  const items = z.array(bare === undefined ? item : z.union([item, blockFieldSchema(bare)]))
  const list = field.max === undefined ? items : items.max(field.max)
  return field.record === undefined ? list : z.union([list, z.record(z.string(), z.string())])
}

/** Schema of a complete and correct value in its flow-file form; the lint reports violations. */
export const blockFieldSchema = (field: BlockField): z.ZodType => {
  switch (field.kind) {
    case 'number':
      return bounded(z.number(), field.min, field.max)
    case 'integer':
      return bounded(z.int(), field.min, field.max)
    case 'boolean':
      return z.boolean()
    case 'enumeration':
      return field.open ? z.string().max(200) : z.enum([field.initial, ...field.options])
    case 'string':
      return line(field.max, field.required)
    case 'reference':
      return line(MAX_NAME_LENGTH, field.required)
    case 'rich':
      return line(MAX_RICH_LENGTH, field.required)
    case 'strings':
      return z.array(z.string().max(MAX_NAME_LENGTH)).max(MAX_NAMES)
    case 'expression':
    case 'code':
      return z.string()
    case 'json':
      return z.unknown()
    case 'list':
      return listSchema(field)
    case 'group':
      return fieldsSchema(field.fields)
    default:
      return field satisfies never
  }
}
