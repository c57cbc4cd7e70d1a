import { z } from 'zod'

/** `TinyUrlVisited` in `visits-<mapping>`: visits to its short address since the event before. */
export const tinyUrlVisitedSchema = z.object({ count: z.int().min(1) })

export const visitStream = (mapping: string): string => `visits-${mapping}`
