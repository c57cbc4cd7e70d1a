import { Box, HStack, Spinner, Stack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, Minus, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ListedModel } from '#domain/nlu-training.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { MarkedText } from '#web/features/statement/index.ts'
import type { Parent, Understanding } from '#web/nlu/training-status.tsx'
import { useAnswer } from './use-answer.ts'

interface Props {
  readonly parent: Parent
  readonly id: string
  readonly model: ListedModel
  readonly text: string
  /** Names of the project's entities, for their colours. */
  readonly entities: readonly string[]
}

type AnswerProps = { readonly answer: Understanding }

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <Box>
    <Text as="h3" textStyle="label" color="fg.muted" mb="1.5">
      {title}
    </Text>
    {children}
  </Box>
)

const Intent = ({ answer: { intent, confidence, threshold } }: AnswerProps) => {
  const { t } = useTranslation('training')
  const Glyph = intent === null ? CircleAlert : CircleCheck
  return (
    <Box>
      <HStack gap="2">
        <Chip tone={intent === null ? 'warning' : 'positive'} fontFamily="mono" minW="0" flexShrink="1">
          <Glyph size={13} aria-hidden="true" style={{ flex: 'none' }} />
          <Text as="span" truncate>
            {intent ?? t('nothing')}
          </Text>
        </Chip>
        <Text as="span" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {t('figure', { value: confidence })}
        </Text>
      </HStack>
      {intent === null ? (
        <Text textStyle="secondary" color="fg.muted" mt="1">
          {t('try.below', { threshold })}
        </Text>
      ) : null}
    </Box>
  )
}

/** Intents as bars, the least confidence that a bot takes as a dashed line. */
const Ranking = ({ answer: { ranking, threshold } }: AnswerProps) => {
  const { t } = useTranslation('training')
  return (
    <Stack as="ol" listStyleType="none" gap="1">
      {ranking.map(({ name, confidence }) => (
        <HStack as="li" key={name} gap="2" minH="6">
          <Text as="span" w="40%" minW="0" fontFamily="mono" fontSize="xs" truncate title={name}>
            {name}
          </Text>
          <Box flex="1" h="2" bg="bg.sunken" borderRadius="full" position="relative" aria-hidden="true">
            <Box
              h="100%"
              borderRadius="full"
              bg={confidence < threshold ? 'fg.subtle' : 'positive.solid'}
              style={{ width: `${confidence * 100}%` }}
            />
            <Box
              position="absolute"
              top="-4px"
              h="16px"
              borderInlineStartWidth="2px"
              borderStyle="dashed"
              borderColor="warning.solid"
              style={{ left: `${threshold * 100}%` }}
            />
          </Box>
          <Text as="span" w="10" textAlign="end" textStyle="dense" fontVariantNumeric="tabular-nums">
            {t('figure', { value: confidence })}
          </Text>
        </HStack>
      ))}
    </Stack>
  )
}

const Entities = ({ answer: { entities }, text, names }: AnswerProps & { text: string; names: readonly string[] }) => {
  const { t } = useTranslation('training')
  if (entities.length === 0)
    return (
      <Text textStyle="dense" color="fg.muted">
        {t('try.noentities')}
      </Text>
    )
  const spans = entities.map(({ start, end, entity }) => ({ start, end, entity }))
  return (
    <>
      <Box fontSize="sm" lineHeight="1.6" overflowWrap="anywhere" mb="2">
        <MarkedText statement={{ text, spans }} entities={names} />
      </Box>
      <Stack as="ul" listStyleType="none" gap="1">
        {entities.map(({ entity, value, start, confidence, by }) => (
          <HStack as="li" key={`${entity} ${start}`} gap="2" textStyle="dense" flexWrap="wrap">
            <Text as="span" fontFamily="mono" fontSize="xs">
              {entity} = {String(value)}
            </Text>
            <Text as="span" textStyle="secondary" color="fg.muted">
              {t(`try.by.${by}`)}
              {by === 'learned' ? `, ${t('figure', { value: confidence })}` : ''}
            </Text>
          </HStack>
        ))}
      </Stack>
    </>
  )
}

const Reasons = ({ answer: { reasons } }: AnswerProps) => {
  const { t } = useTranslation('training')
  const groups = [
    { key: 'for', list: reasons.for, icon: Plus, tone: 'positive' },
    { key: 'against', list: reasons.against, icon: Minus, tone: 'warning' },
  ] as const
  return (
    <Stack gap="1.5">
      {groups.map(({ key, list, icon: Glyph, tone }) =>
        list.length === 0 ? null : (
          <HStack key={key} gap="1.5" flexWrap="wrap">
            <Text as="span" textStyle="secondary" color="fg.muted">
              {t(`try.${key}`)}
            </Text>
            {list.map(({ text }) => (
              <Chip key={text} tone={tone} fontFamily="mono" fontWeight="normal">
                <Glyph size={11} aria-hidden="true" />
                {text.replaceAll('_', '·')}
              </Chip>
            ))}
          </HStack>
        ),
      )}
    </Stack>
  )
}

/** One model's answer: intent, ranking, entities and reasons. */
export const AnswerPane = ({ parent, id, model, text, entities }: Props) => {
  const { t } = useTranslation('training')
  const { answer, error } = useAnswer(parent, id, model.id, text)
  const flags = [...(model.production ? [t('production')] : []), ...(model.test ? [t('test')] : [])]
  return (
    <Card
      title={[t('model', { number: model.number }), ...flags].join(' · ')}
      beside={
        answer === undefined ? undefined : (
          <Text as="span" textStyle="secondary" color="fg.muted">
            {t('try.ms', { ms: answer.ms })}
          </Text>
        )
      }
    >
      <Stack px="4" pb="4" gap="4" aria-live="polite">
        <ErrorLine text={error} />
        {answer === undefined && error === undefined ? <Spinner size="sm" /> : null}
        {answer === undefined ? null : (
          <>
            <Intent answer={answer} />
            <Part title={t('try.ranking')}>
              <Ranking answer={answer} />
            </Part>
            <Part title={t('try.entities')}>
              <Entities answer={answer} text={text} names={entities} />
            </Part>
            <Part title={t('try.why')}>
              <Reasons answer={answer} />
            </Part>
          </>
        )}
      </Stack>
    </Card>
  )
}
