import { z } from 'zod'
import type { Json } from '../event.ts'

/** Any JSON value, as the program's own type. */
export const json = z.json() as z.ZodType<Json>
