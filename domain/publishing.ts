import { z } from 'zod'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { NamedCommand } from './behaviour.ts'
import { eventOf } from './entity.ts'

/**
 * Makes the reviewed revision of the flow the one that bots run. Facts: `flowrevision`, the live one; `errors`, how many
 * errors were found in it.
 */
export const publish = (entity: EntityDeclaration): NamedCommand => ({
  input: z.strictObject({ flowrevision: z.int().min(0).optional() }),
  decide(state, input, { facts, time }) {
    const live = typeof facts.flowrevision === 'number' ? facts.flowrevision : 0
    if (input.flowrevision !== undefined && input.flowrevision !== live) {
      return refused('flow.changed', { params: { flowrevision: live } })
    }
    if (typeof facts.errors === 'number' && facts.errors > 0) {
      return refused('flow.invalid', { params: { count: facts.errors } })
    }
    if (state.fields.published === true && state.fields.publishedrevision === live) return accepted([])
    const fields = { published: true, publishedrevision: live, published_at: time }
    return accepted([eventOf(entity, 'Published', { fields })])
  },
})

export const unpublish = (entity: EntityDeclaration): NamedCommand => ({
  input: z.strictObject({}),
  decide: ({ fields }) =>
    accepted(fields.published === true ? [eventOf(entity, 'Unpublished', { fields: { published: false } })] : []),
})
