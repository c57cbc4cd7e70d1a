import { Box, HStack, Spinner, Stack, Text } from '@chakra-ui/react'
import { Check, Circle, CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { Card } from '#web/components/card.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { usePerson } from '#web/entity/person-query.ts'
import type { Training } from '#web/features/evaluation/index.ts'
import { minuteOf, momentOf } from '#web/format/time.ts'

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

const Progress = ({ progress }: { readonly progress: number }) => {
  const { t } = useTranslation('training')
  const percent = Math.round(progress * 100)
  return (
    <Box
      role="progressbar"
      aria-label={t('progress')}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      h="6px"
      bg="bg.sunken"
      borderRadius="full"
      overflow="hidden"
      mb="3"
    >
      <Box h="100%" bg="info.solid" transition="width 400ms" style={{ width: `${percent}%` }} />
    </Box>
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
        <Progress progress={progress ?? 0} />
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
export const TrainingPane = ({
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
