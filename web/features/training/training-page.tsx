import { Box, Button, HStack, Spinner, Stack, Text } from '@chakra-ui/react'
import {
  Check,
  Circle,
  CircleX,
  Ellipsis,
  FlaskConical,
  GitCompareArrows,
  GraduationCap,
  Rocket,
  ShieldCheck,
  Square,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { ListedModel } from '#domain/nlu-training.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { usePerson } from '#web/entity/person-query.ts'
import { OWNERS, type StatementOwner, useIntents } from '#web/features/statement/index.ts'
import { dayOf, minuteOf, momentOf } from '#web/format/time.ts'
import {
  figureOf,
  otherModel,
  TrainButton,
  type Training,
  TrainingStatus,
  useModels,
  useTraining,
} from '#web/nlu/training-status.tsx'
import { Page } from '#web/page/page.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { CompareDialog } from './compare-dialog.tsx'
import { EvaluationPane } from './evaluation-pane.tsx'
import { ProjectPage } from './project-page.tsx'

interface ModelListProps {
  readonly owner: StatementOwner
  readonly project: RowOf<'nluproject' | 'brain'>
  readonly models: readonly ListedModel[]
  readonly shown: ListedModel | undefined
}

const Flags = ({ model }: { readonly model: ListedModel }) => {
  const { t } = useTranslation('training')
  return (
    <>
      {model.production ? (
        <Chip tone="accent" icon={ShieldCheck}>
          {t('production')}
        </Chip>
      ) : null}
      {model.test ? (
        <Chip tone="info" icon={FlaskConical}>
          {t('test')}
        </Chip>
      ) : null}
    </>
  )
}

const ModelFacts = ({ model }: { readonly model: ListedModel }) => {
  const { t } = useTranslation('training')
  const person = usePerson(model.trained_by)
  return (
    <HStack gap="1.5" textStyle="secondary" color="fg.muted" flex="1 0 auto">
      {person === undefined ? null : <PersonAvatar person={person} size={18} />}
      <Text as="span" truncate title={momentOf(model.created_at)}>
        {dayOf(model.created_at)} · {t('lines', { count: figureOf(model, 'lines') ?? 0 })}
      </Text>
    </HStack>
  )
}

interface RowProps {
  readonly model: ListedModel
  readonly isShown: boolean
  readonly to: string
  readonly actions: readonly MenuAction[]
  readonly onPromote: (() => void) | undefined
}

const ModelRow = ({ model, isShown, to, actions, onPromote }: RowProps) => {
  const { t } = useTranslation('training')
  const f1 = figureOf(model, 'f1') ?? figureOf(model, 'accuracy')
  return (
    <Box
      as="li"
      position="relative"
      px="4"
      py="2.5"
      borderTopWidth="1px"
      borderInlineStartWidth="3px"
      borderInlineStartColor={isShown ? 'accent.solid' : 'transparent'}
      bg={isShown ? 'accent.subtle' : undefined}
    >
      <HStack gap="2" minH="7">
        <RouterLink
          to={to}
          replace
          aria-current={isShown ? 'true' : undefined}
          fontWeight="semibold"
          textStyle="dense"
          focusVisibleRing="outside"
          _after={{ content: '""', position: 'absolute', inset: '0' }}
        >
          {t('model', { number: model.number })}
        </RouterLink>
        <Flags model={model} />
        <Text as="span" ms="auto" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {f1 === undefined ? '—' : t('figure', { value: f1 })}
        </Text>
        {actions.length === 0 ? null : (
          <Box position="relative" zIndex="1">
            <ActionMenu label={t('more', { number: model.number })} actions={actions} align="end">
              <IconButton icon={Ellipsis} size="xs" label={t('more', { number: model.number })} />
            </ActionMenu>
          </Box>
        )}
      </HStack>
      <HStack gap="2" minH="7" flexWrap="wrap" rowGap="0">
        <ModelFacts model={model} />
        {onPromote === undefined ? null : (
          <Button size="xs" variant="ghost" color="accent.fg" px="0" position="relative" zIndex="1" onClick={onPromote}>
            {t('promote')}
          </Button>
        )}
      </HStack>
    </Box>
  )
}

interface ComparedModels {
  readonly model: ListedModel
  readonly other: ListedModel | undefined
}

const useModelActions = (
  { owner: { parent }, project, models }: ModelListProps,
  compare: (model: ListedModel, other?: ListedModel) => void,
) => {
  const { t } = useTranslation('training')
  const { can } = useSession()
  const command = useEntityCommand(ENTITIES[parent])
  const [mayPromote, mayTest] = [can(`setproduction${parent}`), can(`settest${parent}`)]
  const actionsOf = (model: ListedModel): readonly MenuAction[] => {
    const setTest = () => void command.act(project, 'settest', { model: model.id })
    const others = models.filter(other => other !== model)
    return [
      ...(mayTest && !model.test ? [{ id: 'test', label: t('settest'), icon: FlaskConical, run: setTest }] : []),
      ...(mayPromote && !model.production
        ? [{ id: 'promote', label: t('promote'), icon: Rocket, run: () => compare(model) }]
        : []),
      ...others.map(other => ({
        id: other.id,
        label: t('comparewith', { number: other.number }),
        icon: GitCompareArrows,
        run: () => compare(model, other),
      })),
    ]
  }
  /** Offered on the row itself for the models that one would choose. */
  const promoteOf = (model: ListedModel) =>
    mayPromote && !model.production && (model.test || model === models[0]) ? () => compare(model) : undefined
  return { actionsOf, promoteOf }
}

/** The models of a project with their flags; one is put into production after its difference was shown. */
const ModelList = (props: ModelListProps) => {
  const { owner, project, models, shown } = props
  const { t } = useTranslation('training')
  const [compared, setCompared] = useState<ComparedModels>()
  const compare = (model: ListedModel, other = otherModel(models, model)) => setCompared({ model, other })
  const { actionsOf, promoteOf } = useModelActions(props, compare)
  if (models.length === 0) return null
  return (
    <Card
      title={t('models')}
      beside={
        <Text as="span" textStyle="secondary" color="fg.muted">
          {t('f1')}
        </Text>
      }
    >
      <Box as="ul" listStyleType="none" aria-label={t('models')}>
        {models.map(model => (
          <ModelRow
            key={model.id}
            model={model}
            isShown={model === shown}
            to={`?model=${model.id}`}
            actions={actionsOf(model)}
            onPromote={promoteOf(model)}
          />
        ))}
      </Box>
      {compared === undefined ? null : (
        <CompareDialog parent={owner.parent} project={project} {...compared} onClose={() => setCompared(undefined)} />
      )}
    </Card>
  )
}

const STAGES = ['read', 'validate', 'intents', 'entities'] as const

interface StepProps {
  readonly state: 'done' | 'running' | 'later'
  readonly label: string
  readonly seconds: number | undefined
}

const Step = ({ state, label, seconds }: StepProps) => {
  const { t } = useTranslation('training')
  return (
    <HStack as="li" gap="2.5" minH="7" color={state === 'later' ? 'fg.muted' : 'fg'}>
      <Box
        w="18px"
        flex="none"
        display="flex"
        justifyContent="center"
        color={state === 'done' ? 'positive.fg' : 'info.fg'}
      >
        {state === 'done' ? (
          <Check size={16} aria-hidden="true" />
        ) : state === 'running' ? (
          <Spinner size="sm" aria-hidden="true" />
        ) : (
          <Box color="fg.subtle">
            <Circle size={14} aria-hidden="true" />
          </Box>
        )}
      </Box>
      <Text as="span" textStyle="dense" fontWeight={state === 'running' ? 'semibold' : 'normal'} flex="1">
        {label}
      </Text>
      {seconds === undefined ? null : (
        <Text as="span" textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
          {t('seconds', { seconds })}
        </Text>
      )}
    </HStack>
  )
}

const Starter = ({ by, started }: { readonly by: string | null; readonly started: string | null }) => {
  const { t } = useTranslation('training')
  const person = usePerson(by)
  if (by === null || person === undefined || started === null) return null
  return (
    <HStack gap="2" mt="3" textStyle="secondary" color="fg.muted">
      <PersonAvatar person={person} size={22} />
      <span>{t('startedby', { name: nameOf(person), time: minuteOf(started) })}</span>
    </HStack>
  )
}

/** A training that is under way: its steps with their times, or what it waits for. */
const Running = ({ training }: { readonly training: Training }) => {
  const { t } = useTranslation('training')
  const { progress, stages, waiting, by, started } = training
  const current = stages?.at(-1)?.stage
  return (
    <Card title={t('title')}>
      <Box px="4" pb="4">
        <ProgressBar label={t('progress')} percent={100 * (progress ?? 0)} tone="info" mb="3" />
        {waiting !== null ? (
          <Text textStyle="dense">{t('waiting', { count: waiting })}</Text>
        ) : stages === null ? (
          <Text textStyle="dense">{t('elsewhere')}</Text>
        ) : (
          <Stack as="ol" listStyleType="none" gap="1">
            {STAGES.map(stage => {
              const reached = stages.find(each => each.stage === stage)
              const state = stage === current ? 'running' : reached === undefined ? 'later' : 'done'
              return <Step key={stage} state={state} label={t(`stage.${stage}`)} seconds={reached?.seconds} />
            })}
          </Stack>
        )}
        <Starter by={by} started={started} />
      </Box>
    </Card>
  )
}

/** Last failed training, with its reason. */
const Failed = ({ error, finished }: { readonly error: string; readonly finished: string | null }) => {
  const { t } = useTranslation('training')
  const isCancelled = error === 'cancelled'
  return (
    <Card title={t(isCancelled ? 'cancelled' : 'failed')}>
      <HStack px="4" pb="4" gap="2" align="start" color={isCancelled ? 'fg.muted' : 'danger.fg'}>
        <CircleX size={16} aria-hidden="true" style={{ flex: 'none', marginTop: 2 }} />
        <Box textStyle="dense">
          <Text>{t([`why.${error}`, 'why.other'])}</Text>
          {finished === null ? null : (
            <Text textStyle="secondary" color="fg.muted">
              {momentOf(finished)}
            </Text>
          )}
        </Box>
      </HStack>
    </Card>
  )
}

/** Training of a project: the current run, or the last failure. */
const TrainingPane = ({
  training,
  project,
}: {
  readonly training: Training | undefined
  readonly project: RowOf<'nluproject' | 'brain'>
}) => {
  if (training === undefined) return null
  if (project.training_status === 'started') return <Running training={training} />
  if (project.training_status !== 'failed' || training.error === null) return null
  return <Failed error={training.error} finished={training.finished} />
}

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
      <TrainButton parent={parent} project={project} />
    </>
  )
}

const Shown = ({ owner, project }: Props) => {
  const { parent } = owner
  const { t } = useTranslation('training')
  const [search] = useSearchParams()
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
