import { z } from 'zod'
import { isEntityName } from '../entities/registry.ts'
import { named } from './common.ts'

const MAX_NAMES = 500

const countOf = (ids: Readonly<Record<string, readonly string[]>>): number =>
  Object.values(ids).reduce((sum, list) => sum + list.length, 0)

/** Ids by entity, at most 500 in all. */
export const namesBody = named(
  'NamesWanted',
  z.strictObject({
    ids: z
      .record(z.string().max(100).refine(isEntityName), z.array(z.string().max(200)))
      .refine(ids => countOf(ids) <= MAX_NAMES, { params: { code: 'toolarge', max: MAX_NAMES } }),
  }),
)

/** Titles by entity and id. */
export const namesSchema = named('Names', z.record(z.string(), z.record(z.string(), z.string())))
