import type { AnswerOf } from '#schemas/api/routes.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useTellCleared } from '#web/entity/cleared-references.ts'
import { useLabel } from '#web/entity/label.ts'
import { useTellRunning } from '#web/entity/use-tell-running.ts'
import { notice } from '#web/notice/notice.ts'

/** Says that something was saved, in the entity's own words where it has some, and what of it was cleared. */
export const useTellSaved = (entity: EntityDeclaration) => {
  const label = useLabel()
  const tellCleared = useTellCleared(entity)
  const tellRunning = useTellRunning()
  return (usual: string, { id, cleared }: AnswerOf<'PATCH /{entity}/{id}'>): void => {
    const text = label.message(entity.name, 'message.saved') ?? usual
    if (!tellCleared(cleared, { text })) notice.snack(text, { tone: 'positive' })
    if (entity.name === 'nlusettings' || entity.name === 'agentchannel') void tellRunning(text, entity.name, id)
  }
}
