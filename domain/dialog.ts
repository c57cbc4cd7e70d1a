import { dialog } from '#schemas/entities/dialog.ts'
import type { Behaviour } from './behaviour.ts'
import { publish, unpublish } from './publishing.ts'

export const dialogBehaviour: Behaviour = {
  commands: { publish: publish(dialog), unpublish: unpublish(dialog) },
}
