import { z } from 'zod'
import { named } from './common.ts'

/** The sample workspace of an installation. */
export const sampleSchema = named(
  'Sample',
  z.object({
    /** `none`: it never had one, or the caller may not see it. */
    state: z.enum(['none', 'making', 'finished', 'removing', 'removed']),
    /** Share of the making or the removal that is done, from 0 to 1. */
    share: z.number().min(0).max(1),
    /** The caller may remove it. */
    removable: z.boolean(),
  }),
)

export const removedSampleSchema = named(
  'RemovedSample',
  z.object({
    things: z.int(),
    conversations: z.int(),
    /** Names of levels and other things that hold what other people made, and stay. */
    kept: z.array(z.string()),
  }),
)
