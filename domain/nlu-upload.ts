import { z } from 'zod'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { accepted } from '#schemas/refusal.ts'
import type { NamedCommand } from './behaviour.ts'
import { eventOf } from './entity.ts'

/** Records the state of an upload on its project and on each story of the file. Sent by the server alone. */
export const uploadCommand = (entity: EntityDeclaration): NamedCommand => ({
  input: z.strictObject({ upload_status: z.enum(['started', 'finished', 'failed']) }),
  decide(_state, { upload_status = 'started' }, { time }) {
    const fields = { upload_status, ...(upload_status === 'finished' ? { uploaded_at: time } : {}) }
    return accepted([eventOf(entity, 'Uploaded', { fields })])
  },
})
