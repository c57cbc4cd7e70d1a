import { handler } from '#schemas/entities/handler.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live } from './behaviour.ts'
import { type PublishFacts, publish, unpublish } from './publishing.ts'

/** A global handler may be called from every task: it is not removed while it is global. */
export const handlerBehaviour = {
  commands: { publish: publish(handler), publishuntested: publish(handler), unpublish: unpublish(handler) },
  onRemove: ({ fields }: Live) => (fields.global === true ? refused('handler.global') : accepted(null)),
} satisfies Behaviour<PublishFacts>
