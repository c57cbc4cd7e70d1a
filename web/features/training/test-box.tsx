import { Box, HStack, Input, SimpleGrid, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedModel } from '#domain/nlu-training.ts'
import type { RowOf } from '#schemas/row.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import type { Parent, Understanding } from '#web/features/evaluation/index.ts'
import { useDebouncedValue } from '#web/use-debounced-value.ts'
import { useAnswer } from './use-answer.ts'

interface Props {
  readonly parent: Parent
  readonly project: RowOf<'nluproject' | 'brain'>
  readonly model: ListedModel
  readonly other: ListedModel | undefined
}

/** In a few words: the next intents and the entities. */
const useSummary = () => {
  const { t } = useTranslation('training')
  return ({ intent, ranking, entities, threshold }: Understanding): string => {
    const others = ranking.filter(({ name }) => name !== intent).slice(0, 1)
    return [
      ...(intent === null ? [t('try.below', { threshold })] : []),
      ...others.map(({ name, confidence }) => `${name} ${t('figure', { value: confidence })}`),
      ...entities.map(({ entity, value }) => `${entity} = ${value}`),
    ].join(' · ')
  }
}

const Answer = ({ parent, project, model, text }: Omit<Props, 'other'> & { readonly text: string }) => {
  const { t } = useTranslation('training')
  const summary = useSummary()
  const { answer, error } = useAnswer(parent, project.id, model.id, text)
  return (
    <Box minW="0">
      <HStack gap="2">
        <Text as="span" textStyle="dense" fontWeight="semibold">
          {t('model', { number: model.number })}
        </Text>
        {answer === undefined ? null : (
          <>
            <Chip tone={answer.intent === null ? 'warning' : 'positive'} fontFamily="mono">
              {answer.intent ?? t('nothing')}
            </Chip>
            <Text as="span" textStyle="dense" fontVariantNumeric="tabular-nums">
              {t('figure', { value: answer.confidence })}
            </Text>
          </>
        )}
      </HStack>
      <ErrorLine text={error} />
      {answer === undefined ? null : (
        <Text textStyle="secondary" color="fg.muted" mt="1" overflowWrap="anywhere">
          {summary(answer)}
        </Text>
      )}
    </Box>
  )
}

/** One line, read by the shown model and by the one that it is compared with. */
export const TestBox = ({ other, ...props }: Props) => {
  const { t } = useTranslation('training')
  const [typed, setTyped] = useState('')
  const text = useDebouncedValue(typed.trim(), 250)
  return (
    <Card title={t('try.one')}>
      <Box px="4" pb="4">
        <Input
          size="sm"
          aria-label={t('try.one')}
          placeholder={t('try.placeholder')}
          maxLength={4000}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        {text === '' ? null : (
          <SimpleGrid columns={{ base: 1, md: other === undefined ? 1 : 2 }} gap="4" mt="3" aria-live="polite">
            <Answer {...props} text={text} />
            {other === undefined ? null : <Answer {...props} model={other} text={text} />}
          </SimpleGrid>
        )}
      </Box>
    </Card>
  )
}
