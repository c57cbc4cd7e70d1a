import { Box, Button, Stack } from '@chakra-ui/react'
import { GraduationCap, Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { otherModel, TrainingStatus, useModels, useTraining } from '#web/features/evaluation/index.ts'
import { OWNERS, type StatementOwner, useIntents } from '#web/features/statement/index.ts'
import { Page } from '#web/page/page.tsx'
import { useLevelOf } from '#web/shell/level.ts'
import { EvaluationPane } from './evaluation-pane.tsx'
import { ModelList } from './model-list.tsx'
import { ProjectPage } from './project-page.tsx'
import { TrainingPane } from './training-pane.tsx'

interface Props {
  readonly owner: StatementOwner
  readonly project: RowOf<'nluproject' | 'brain'>
}

const Actions = ({ owner: { parent }, project, isRunning }: Props & { readonly isRunning: boolean }) => {
  const { t } = useTranslation('training')
  const { can } = useSession()
  const command = useEntityCommand(ENTITIES[parent])
  return (
    <>
      {isRunning && can(`cancel${parent}`) ? (
        <Button onClick={() => void command.act(project, 'cancel')}>
          <Square size={14} aria-hidden="true" />
          {t('cancel')}
        </Button>
      ) : null}
      {can(`train${parent}`) ? (
        <Button
          variant="solid"
          disabled={isRunning}
          onClick={() => void command.perform(project, 'train', {}).catch(error => command.failed(error))}
        >
          <GraduationCap size={16} aria-hidden="true" />
          {t('train')}
        </Button>
      ) : null}
    </>
  )
}

const Shown = ({ owner, project }: Props) => {
  const { parent } = owner
  const { t } = useTranslation('training')
  const [search] = useSearchParams()
  useLevelOf(parent, project)
  const { intents, query } = useIntents(owner, project.id)
  const training = useTraining(parent, project, query.dataUpdatedAt)
  const models = useModels(project)
  const model = models.find(({ id }) => id === search.get('model')) ?? models[0]
  const isRunning = project.training_status === 'started'
  return (
    <Page
      title={project.name}
      name={t('title')}
      beside={<TrainingStatus training={training} models={models} isRunning={isRunning} />}
      actions={<Actions owner={owner} project={project} isRunning={isRunning} />}
    >
      <ParentTabs entity={parent} id={project.id} active="training" />
      <Stack direction={{ base: 'column', lg: 'row' }} gap="4" align="start">
        <Stack w={{ base: '100%', lg: '300px' }} flex="none" gap="4">
          <TrainingPane training={training} project={project} />
          <ModelList {...{ owner, project, models }} shown={model} />
        </Stack>
        <Box flex="1" minW="0" w="100%">
          {model === undefined ? (
            <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
              <EmptyState icon={GraduationCap} title={t('empty')} text={t('emptytext')} />
            </Box>
          ) : (
            <EvaluationPane key={model.id} {...{ owner, project, model, intents }} other={otherModel(models, model)} />
          )}
        </Box>
      </Stack>
    </Page>
  )
}

/** /nluproject/training/{project} */
export const TrainingPage = () => <ProjectPage shown={Shown} owner={OWNERS.intent} />
/** /brain/training/{brain} */
export const BrainTrainingPage = () => <ProjectPage shown={Shown} owner={OWNERS.nluintent} />
