import { dialog } from '#schemas/entities/dialog.ts'
import { handler } from '#schemas/entities/handler.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DecisionContext, Live, NamedCommand } from './behaviour.ts'
import { eventOf } from './entity.ts'

/** Loaded for publishing alone. */
export interface PublishFacts {
  /** Live revision of the flow; 0 where nothing was drawn. */
  readonly flowrevision?: number
  /** Whether the revision that is to come back was published before. */
  readonly wasPublished?: boolean
  /** Errors that the lint finds in the revision that is to go live, with what exists now. */
  readonly errors?: number
  /** The first of them. */
  readonly faults?: readonly FieldError[]
  /** Of the tests that gate the bot, with that revision published. */
  readonly failedTests?: readonly FieldError[]
}

/**
 * Makes the reviewed revision of the flow, or one that was published before, the one that bots run; with a reason although
 * tests fail. A revision that was live before comes back with a reason although it has errors too: bots ran it, and the
 * way back from a bad publication does not wait until someone has mended an old drawing.
 */
const publish = (entity: EntityDeclaration): NamedCommand<PublishFacts> => ({
  decide(state, input, { facts, time }) {
    const { flowrevision: live = 0, errors = 0, faults = [], failedTests = [] } = facts
    const wanted = typeof input.flowrevision === 'number' ? input.flowrevision : live
    if (input.again === true && facts.wasPublished !== true) {
      return refused('validation.failed', { errors: [{ path: 'flowrevision', code: 'reference' }] })
    }
    if (input.again !== true && wanted !== live) return refused('flow.changed', { params: { flowrevision: live } })
    if (errors > 0 && input.again === true) {
      const params = { flowrevision: wanted, count: errors }
      return refused('flow.outdated', { params, errors: [...faults, ...failedTests] })
    }
    if (errors > 0) return refused('flow.invalid', { params: { count: errors }, errors: faults })
    if (state.fields.published === true && state.fields.publishedrevision === wanted) return accepted([])
    if (failedTests.length > 0) {
      return refused('test.failed', { params: { count: failedTests.length }, errors: failedTests })
    }
    const reason = typeof input.reason === 'string' ? input.reason : null
    const why = reason === (state.fields.untestedreason ?? null) ? {} : { untestedreason: reason }
    const fields = { published: true, publishedrevision: wanted, published_at: time, ...why }
    return accepted([eventOf(entity, 'Published', { fields })])
  },
})

const unpublish = (entity: EntityDeclaration): NamedCommand<PublishFacts> => ({
  decide: ({ fields }) =>
    accepted(fields.published === true ? [eventOf(entity, 'Unpublished', { fields: { published: false } })] : []),
})

const DAY_MS = 86_400_000

/** A link to a draft works for at most this long. */
const MAX_DRAFT_LINK_DAYS = 30

export const dialogBehaviour = {
  onChange: (_state: Live, changes: Live['fields'], { time }: DecisionContext<PublishFacts>) => {
    const { sharedraftuntil: until } = changes
    const latest = Date.parse(time) + MAX_DRAFT_LINK_DAYS * DAY_MS
    if (typeof until !== 'string' || Date.parse(until) <= latest) return accepted(changes)
    const params = { max: new Date(latest).toISOString() }
    return refused('validation.failed', { errors: [{ path: 'sharedraftuntil', code: 'toolarge', params }] })
  },
  commands: { publish: publish(dialog), publishuntested: publish(dialog), unpublish: unpublish(dialog) },
} satisfies Behaviour<PublishFacts>

/** A global handler may be called from every task: it is not removed while it is global. */
export const handlerBehaviour = {
  commands: { publish: publish(handler), publishuntested: publish(handler), unpublish: unpublish(handler) },
  onRemove: ({ fields }: Live) => (fields.global === true ? refused('handler.global') : accepted(null)),
} satisfies Behaviour<PublishFacts>

/** Requirements to publish a whole task: an existing main dialog, and no errors in any of its flows. */
export const mayPublishAll = (
  task: Live,
  dialogs: readonly string[],
  errors: number,
  faults: readonly FieldError[],
): Result<null> => {
  const main = task.fields.principaldialog
  if (typeof main !== 'string' || !dialogs.includes(main)) return refused('task.main')
  return errors > 0 ? refused('flow.invalid', { params: { count: errors }, errors: faults }) : accepted(null)
}
