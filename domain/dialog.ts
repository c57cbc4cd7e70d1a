import { dialog } from '#schemas/entities/dialog.ts'
import type { Behaviour } from './behaviour.ts'
import { type PublishFacts, publish, unpublish } from './publishing.ts'

export const dialogBehaviour = {
  commands: { publish: publish(dialog), publishuntested: publish(dialog), unpublish: unpublish(dialog) },
} satisfies Behaviour<PublishFacts>
