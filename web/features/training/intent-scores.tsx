import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { parseStatement } from '#domain/nlu/project-data.ts'
import type { RowOf } from '#schemas/row.ts'
import { Card } from '#web/components/card.tsx'
import { Segments } from '#web/components/segments.tsx'
import type { Intent, StatementOwner } from '#web/features/statement/index.ts'
import type { Evaluation } from '#web/nlu/training-status.tsx'
import type { Cell } from './confusion-matrix.tsx'
import { intentAddress } from './use-answer.ts'

type Score = Evaluation['intents'][number]

interface Props {
  readonly owner: StatementOwner
  readonly project: RowOf<'nluproject' | 'brain'>
  readonly intents: readonly Intent[]
  readonly evaluation: Evaluation
  readonly before: Evaluation | undefined
  readonly otherNumber: number | undefined
  readonly cell: Cell | undefined
  onShowLines(): void
}

/** Under it an intent needs work. */
const WEAK = 0.75
const MAX_EXAMPLES = 2

const ScoreRow = ({ score, before, to }: { score: Score; before: Score | undefined; to: string | undefined }) => {
  const { t } = useTranslation('training')
  const { name, f1, count, precision, recall } = score
  const isWeak = f1 < WEAK
  const change = before === undefined ? 0 : Math.round((f1 - before.f1) * 100)
  return (
    <HStack as="li" gap="2" minH="7" title={t('scoreof', { precision, recall, count })}>
      <Box w="42%" minW="0" fontFamily="mono" fontSize="xs">
        {to === undefined ? (
          <Text truncate>{name}</Text>
        ) : (
          <Box asChild display="block" truncate _hover={{ textDecoration: 'underline' }} focusVisibleRing="outside">
            <Link to={to}>{name}</Link>
          </Box>
        )}
      </Box>
      <Box flex="1" h="2" bg="bg.sunken" borderRadius="full" position="relative" aria-hidden="true">
        <Box h="100%" borderRadius="full" bg={isWeak ? 'warning.solid' : 'fg'} style={{ width: `${f1 * 100}%` }} />
        {before === undefined ? null : (
          <Box
            position="absolute"
            top="-3px"
            h="14px"
            w="2px"
            bg="info.solid"
            style={{ left: `${before.f1 * 100}%` }}
          />
        )}
      </Box>
      <Text
        as="span"
        w="9"
        textAlign="end"
        textStyle="dense"
        fontWeight="semibold"
        fontVariantNumeric="tabular-nums"
        color={isWeak ? 'warning.fg' : undefined}
      >
        {t('figure', { value: f1 })}
      </Text>
      <Text
        as="span"
        w="11"
        textAlign="end"
        textStyle="secondary"
        fontVariantNumeric="tabular-nums"
        color={change === 0 ? 'fg.subtle' : change > 0 ? 'positive.fg' : 'danger.fg'}
      >
        {before === undefined
          ? t('ofcount', { count })
          : change === 0
            ? '='
            : t('changefigure', { value: change / 100 })}
      </Text>
    </HStack>
  )
}

const CellLines = ({
  evaluation,
  cell,
  onShowLines,
}: Required<Pick<Props, 'evaluation' | 'onShowLines'>> & { cell: Cell }) => {
  const { t } = useTranslation('training')
  const isRight = cell.intent === cell.found
  const count = evaluation.confusion.find(one => one.intent === cell.intent && one.found === cell.found)?.count ?? 0
  const total = evaluation.intents.find(({ name }) => name === cell.intent)?.count ?? 0
  const wrong = evaluation.wrong.filter(({ intent, found }) => intent === cell.intent && found === cell.found)
  return (
    <Box borderTopWidth="1px" px="4" py="3" aria-live="polite">
      <HStack justify="space-between" gap="2">
        <Text textStyle="dense" fontWeight="semibold" overflowWrap="anywhere">
          {isRight ? cell.intent : `${cell.intent} → ${cell.found}`}
        </Text>
        <Text textStyle="secondary" color="fg.muted" flex="none">
          {t('partof', { count, total })}
        </Text>
      </HStack>
      {wrong.slice(0, MAX_EXAMPLES).map(({ id, text }) => (
        <Text key={id} textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
          “{parseStatement(text).text}”
        </Text>
      ))}
      {isRight ? null : (
        <Button size="xs" variant="ghost" color="accent.fg" px="0" onClick={onShowLines}>
          {t('showlines')}
        </Button>
      )}
    </Box>
  )
}

/** F1 of each intent or entity, the worst first, with the tick of the other model. */
export const IntentScores = (props: Props) => {
  const { owner, project, intents, evaluation, before, otherNumber, cell, onShowLines } = props
  const { t } = useTranslation('training')
  const [shown, setShown] = useState<'intents' | 'entities'>('intents')
  const scores = evaluation[shown].toSorted((a, b) => a.f1 - b.f1)
  const known = new Map((before?.[shown] ?? []).map(score => [score.name, score]))
  const addressOf = (name: string) => {
    const intent = shown === 'intents' ? intents.find(each => each.name === name) : undefined
    return intent && intentAddress(owner, project.id, intent.id)
  }
  return (
    <Box w={{ base: '100%', xl: '340px' }} flex="none">
      <Card
        title={t(shown === 'intents' ? 'scores.intents' : 'scores.entities')}
        beside={
          evaluation.entities.length > 0 ? (
            <Segments<'intents' | 'entities'>
              label={t('scores.show')}
              value={shown}
              options={[
                { value: 'intents', label: t('scores.ofintents') },
                { value: 'entities', label: t('scores.ofentities') },
              ]}
              onChange={setShown}
            />
          ) : otherNumber !== undefined && before !== undefined ? (
            <HStack as="span" gap="1.5" textStyle="secondary" color="fg.muted">
              <Box w="2px" h="12px" bg="info.solid" />
              {t('model', { number: otherNumber })}
            </HStack>
          ) : undefined
        }
      >
        <Stack as="ul" listStyleType="none" gap="0" px="4" pb="3" maxH="330px" overflow="auto" tabIndex={0}>
          {scores.map(score => (
            <ScoreRow key={score.name} score={score} before={known.get(score.name)} to={addressOf(score.name)} />
          ))}
        </Stack>
        {cell === undefined ? null : <CellLines {...{ evaluation, cell, onShowLines }} />}
      </Card>
    </Box>
  )
}
