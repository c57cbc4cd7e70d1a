import type { EntityDeclaration } from '#schemas/entity.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { NamedCommand } from './behaviour.ts'
import { eventOf } from './entity.ts'

/** Loaded for publishing alone. */
export interface PublishFacts {
  /** Live revision of the flow; 0 where nothing was drawn. */
  readonly flowrevision?: number
  /** Errors that the lint finds in that revision. */
  readonly errors?: number
}

/** Makes the reviewed revision of the flow the one that bots run. */
export const publish = (entity: EntityDeclaration): NamedCommand<PublishFacts> => ({
  decide(state, input, { facts, time }) {
    const { flowrevision: live = 0, errors = 0 } = facts
    if (typeof input.flowrevision === 'number' && input.flowrevision !== live) {
      return refused('flow.changed', { params: { flowrevision: live } })
    }
    if (errors > 0) return refused('flow.invalid', { params: { count: errors } })
    if (state.fields.published === true && state.fields.publishedrevision === live) return accepted([])
    const fields = { published: true, publishedrevision: live, published_at: time }
    return accepted([eventOf(entity, 'Published', { fields })])
  },
})

export const unpublish = (entity: EntityDeclaration): NamedCommand<PublishFacts> => ({
  decide: ({ fields }) =>
    accepted(fields.published === true ? [eventOf(entity, 'Unpublished', { fields: { published: false } })] : []),
})
