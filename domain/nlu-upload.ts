import { z } from 'zod'
import { nluproject } from '#schemas/entities/nluproject.ts'
import { accepted } from '#schemas/refusal.ts'
import type { NamedCommand } from './behaviour.ts'
import { eventOf } from './entity.ts'

/** Tells how taking a file into a project stands. Given by the server alone. */
export const uploadCommand: NamedCommand = {
  input: z.strictObject({ upload_status: z.enum(['started', 'finished']) }),
  decide(_state, { upload_status = 'started' }, { time }) {
    const fields = { upload_status, ...(upload_status === 'finished' ? { uploaded_at: time } : {}) }
    return accepted([eventOf(nluproject, 'Uploaded', { fields })])
  },
}
