import { Button, HStack } from '@chakra-ui/react'
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { Check, GraduationCap, Hourglass, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type ListedModel, modelsOf } from '#domain/nlu-training.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'

export type Training = AnswerOf<'GET /nluproject/{id}/training'>
export type Evaluation = AnswerOf<'GET /nluproject/{id}/evaluation'>
export type Understanding = AnswerOf<'POST /nluproject/{id}/parse'>
export type Comparison = AnswerOf<'POST /nluproject/{id}/compare'>
export type Parent = 'nluproject' | 'brain'

/** Poll interval of a running training. */
const POLL_INTERVAL_MS = 1000

/** Status of a project's training; refetched while it runs and when the project or its contents change. */
export const useTraining = (parent: Parent, project: RowOf<'nluproject' | 'brain'>, contents: unknown) =>
  useQuery({
    queryKey: [parent, 'training', project.id, project.revision, contents],
    queryFn: ({ signal }) => http.get(`/${parent}/{id}/training`, { params: { id: project.id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'started' ? POLL_INTERVAL_MS : false),
    placeholderData: before => before,
  }).data

const evaluationQuery = (parent: Parent, id: string, model: string | undefined) =>
  queryOptions({
    queryKey: ['evaluation', parent, id, model],
    queryFn:
      model === undefined
        ? skipToken
        : ({ signal }) => http.get(`/${parent}/{id}/evaluation`, { params: { id }, query: { model }, signal }),
    // A model never changes.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export const useEvaluation = (parent: Parent, id: string, model: string | undefined) =>
  useQuery(evaluationQuery(parent, id, model))

/** Two models on what they were both tried on, or on `lines`. */
export const useComparison = (
  parent: Parent,
  id: string,
  models: { readonly model: string; readonly other: string },
  lines: readonly { readonly text: string; readonly intent: string }[] | undefined,
) =>
  useQuery({
    queryKey: ['evaluation', parent, id, models, lines],
    queryFn: ({ signal }) =>
      http.post(`/${parent}/{id}/compare`, {
        params: { id },
        body: { ...models, ...(lines === undefined ? {} : { lines: [...lines] }) },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** The models of a project, newest first. */
export const useModels = (project: RowOf<'nluproject' | 'brain'>): readonly ListedModel[] =>
  useMemo(() => modelsOf(project.models), [project.models])

/** The model that another one is shown against: the one in production, else the one before it. */
export const otherModel = (models: readonly ListedModel[], model: ListedModel): ListedModel | undefined =>
  models.find(each => each.production && each !== model) ?? models[models.indexOf(model) + 1]

export const figureOf = ({ figures }: ListedModel, name: string): number | undefined => {
  const value = figures[name]
  return typeof value === 'number' ? value : undefined
}

interface Props {
  readonly training: Training | undefined
  readonly models: readonly ListedModel[]
  readonly isRunning: boolean
}

/** Status beside the title: training progress, production model, changes since the last training. */
export const TrainingStatus = ({ training, models, isRunning }: Props) => {
  const { t } = useTranslation('training')
  const production = models.find(model => model.production)
  const untrained = training?.untrained ?? 0
  return (
    <HStack gap="2" flexWrap="wrap">
      {isRunning ? (
        <Chip tone="info">
          <Hourglass size={13} aria-hidden="true" />
          {training?.waiting == null ? t('running', { progress: training?.progress ?? 0 }) : t('queued')}
        </Chip>
      ) : null}
      {production === undefined ? null : (
        <Chip tone="positive">
          <Check size={13} aria-hidden="true" />
          {t('inproduction', { number: production.number })}
        </Chip>
      )}
      {training?.stale === true && !isRunning ? (
        <Chip tone="warning">
          <TriangleAlert size={13} aria-hidden="true" />
          {untrained > 0 ? t('untrained', { count: untrained }) : t('stale')}
        </Chip>
      ) : null}
    </HStack>
  )
}

interface TrainButtonProps {
  readonly parent: Parent
  readonly project: RowOf<'nluproject' | 'brain'>
}

/** Begins a training, for those who may. */
export const TrainButton = ({ parent, project }: TrainButtonProps) => {
  const { t } = useTranslation('training')
  const { can } = useSession()
  const command = useEntityCommand(ENTITIES[parent])
  if (!can(`train${parent}`)) return null
  return (
    <Button
      variant="solid"
      disabled={project.training_status === 'started'}
      onClick={() => void command.perform(project, 'train', {}).catch(error => command.failed(error))}
    >
      <GraduationCap size={16} aria-hidden="true" />
      {t('train')}
    </Button>
  )
}
