import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { reviewedOf } from '#domain/nlu-training.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { type Evaluation, useEvaluation, useModels } from '#web/features/evaluation/index.ts'
import type { ConfusedLines, Intent, StatementOwner } from './use-intents.ts'

/** Results of the newest model's training per intent of a project. */
export interface LastTraining {
  /** From 0 to 1, by the name of an intent. */
  readonly f1: ReadonlyMap<string, number>
  confused(intent: Intent): ConfusedLines
  /** Notes that a line stays where it is; absent where that is not the person's to say. */
  readonly keep?: (line: string, as: string) => void
}

const confusedIn = (
  evaluation: Evaluation | undefined,
  intents: readonly Intent[],
  reviewed: ReadonlySet<string>,
  { name, statements }: Intent,
): ConfusedLines => {
  const byName = new Map(intents.map(intent => [intent.name, intent.id]))
  const texts = new Map(statements.map(({ id, text }) => [id, text]))
  return new Map(
    (evaluation?.wrong ?? []).flatMap(({ id, text, intent, found, confidence }) => {
      const other = byName.get(found)
      const isOpen = intent === name && texts.get(id) === text && !reviewed.has(`${id}\n${found}`)
      return isOpen && other !== undefined ? [[id, { intent: other, name: found, score: confidence }] as const] : []
    }),
  )
}

export const useLastTraining = (
  { parent }: StatementOwner,
  project: RowOf<'nluproject' | 'brain'>,
  intents: readonly Intent[],
): LastTraining => {
  const { can } = useSession()
  const client = useQueryClient()
  const models = useModels(project)
  const [newest] = models
  const { data } = useEvaluation(parent, project.id, newest?.evaluation ? newest.id : undefined)
  const f1 = useMemo(() => new Map((data?.intents ?? []).map(score => [score.name, score.f1])), [data])
  const reviewed = useMemo(
    () => new Set(reviewedOf(project.reviewed).map(({ line, as }) => `${line}\n${as}`)),
    [project.reviewed],
  )
  const confused = useCallback(
    (intent: Intent) => confusedIn(data, intents, reviewed, intent),
    [data, intents, reviewed],
  )
  const keep = useCallback(
    (line: string, as: string) =>
      void http
        .post('/{entity}/{id}/{action}', {
          params: { entity: parent, id: project.id, action: 'reviewline' },
          body: { line, as },
        })
        .then(() => client.invalidateQueries({ queryKey: [parent, 'detail', project.id] }))
        // It stays hidden on this page; the next one asks again.
        .catch(() => undefined),
    [client, parent, project.id],
  )
  return useMemo(
    () => ({ f1, confused, ...(can(`reviewline${parent}`) ? { keep } : {}) }),
    [f1, confused, can, parent, keep],
  )
}
