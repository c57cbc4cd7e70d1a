import { skipToken, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import type { StatementOwner } from '#web/features/statement/index.ts'
import type { Parent, Understanding } from '#web/nlu/training-status.tsx'

/** Answer of a model for a text, or an error message. */
export const useAnswer = (
  parent: Parent,
  id: string,
  model: string,
  text: string,
): { readonly answer: Understanding | undefined; readonly error: string | undefined } => {
  const { t } = useTranslation('training')
  const query = useQuery({
    queryKey: ['understanding', parent, id, model, text],
    queryFn:
      text === ''
        ? skipToken
        : ({ signal }) => http.post(`/${parent}/{id}/parse`, { params: { id }, body: { text, model }, signal }),
    // Answers are stable, except dates relative to today.
    staleTime: 60_000,
    retry: false,
    placeholderData: before => before,
  })
  const error = query.error === null ? undefined : isProblem(query.error) ? query.error.message : t('noanswer')
  return { answer: error === undefined && text !== '' ? query.data : undefined, error }
}

/** Address of an intent's lines, with one of them marked. */
export const intentAddress = (
  { parent, entity }: StatementOwner,
  project: string,
  intent: string,
  line?: string,
): string =>
  `/${parent}/${entity}/${project}?intent=${intent}${line === undefined ? '' : `&line=${encodeURIComponent(line)}`}`
