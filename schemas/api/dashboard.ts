import { z } from 'zod'
import { named } from './name.ts'
import { personSchema } from './write.ts'

/** Periods of the dashboard, in days; the last one is today. */
export const DASHBOARD_PERIODS = ['7', '30', '90'] as const

export const dashboardQuery = z.strictObject({ days: z.enum(DASHBOARD_PERIODS).default('30') })

/** One number per day of the period. */
const counts = z.array(z.int())

/** Counts per day of what the caller may read in their levels. A part that the caller may not read is absent. */
export const dashboardSchema = named(
  'Dashboard',
  z.object({
    /** Days of São Paulo, oldest first: `2026-11-19`. */
    days: z.array(z.iso.date()),
    /** Most edits first; null adds up everybody else. */
    edits: z.array(z.object({ person: personSchema.nullable(), counts })),
    /** People with at least one edit. */
    editors: counts,
    publishes: counts,
    signins: z.object({ succeeded: counts, failed: counts }).optional(),
    /** Number of bots by running status, now. */
    bots: z.record(z.string(), z.int()).optional(),
    /** People whose sign-in is locked, now; the first ten by name. */
    locked: z.object({ total: z.int(), people: z.array(personSchema) }).optional(),
  }),
)

export type Dashboard = z.output<typeof dashboardSchema>
