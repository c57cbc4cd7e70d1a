import { HStack } from '@chakra-ui/react'
import { Check, Hourglass, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ListedModel } from '#domain/nlu-training.ts'
import { Chip } from '#web/components/chip.tsx'
import type { Training } from './use-training.ts'

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
