import { z } from 'zod'
import { json } from './json.ts'

const id = z.string().min(1).max(200)

export const directLineParam = z.object({
  channel: z.string().min(1).max(100),
  id: z.string().min(1).max(100).optional(),
})

/** Members that nothing is done with are let pass, as clients of other makers send them. */
export const directLineOpening = z.looseObject({
  user: z.looseObject({ id: id.optional(), name: z.string().max(200).optional() }).optional(),
  locale: z.string().max(50).optional(),
})

/** An activity from a client. */
export const sentActivity = z.looseObject({
  type: z.string().max(100),
  text: z.string().optional(),
  name: z.string().max(200).optional(),
  value: json.optional(),
  channelData: z.looseObject({ clientActivityID: z.string().max(200).optional() }).optional(),
})

export const watermarkQuery = z.object({ watermark: z.string().max(200).default('') })
