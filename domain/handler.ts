import { handler } from '#schemas/entities/handler.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour } from './behaviour.ts'
import { publish, unpublish } from './publishing.ts'

/** A global handler may be called from every task, so it stays as long as it is one. */
export const handlerBehaviour: Behaviour = {
  commands: { publish: publish(handler), unpublish: unpublish(handler) },
  onRemove: ({ fields }) => (fields.global === true ? refused('handler.global') : accepted(null)),
}
