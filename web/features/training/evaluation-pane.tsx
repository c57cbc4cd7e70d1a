import { Box, Button, Flex, HStack, Input, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { FileQuestion } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { parseStatement } from '#domain/nlu/project-data.ts'
import type { ListedModel } from '#domain/nlu-training.ts'
import type { RowOf } from '#schemas/row.ts'
import { isProblem } from '#web/api/failure.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import type { Intent, StatementOwner } from '#web/features/statement/index.ts'
import { type Evaluation, type Parent, type Understanding, useEvaluation } from '#web/nlu/training-status.tsx'
import { useDebouncedValue } from '#web/timer.ts'
import { type Cell, ConfusionMatrix } from './confusion-matrix.tsx'
import { MistakeList } from './mistake-list.tsx'
import { intentAddress, useAnswer } from './use-answer.ts'

interface TileProps {
  readonly label: string
  readonly value: string
  /** Difference to another model, as it is written, and whether it is good. */
  readonly change?: number | undefined
  /** Digits after the comma of the difference. */
  readonly as?: 'figure' | 'percent'
  /** Less is better. */
  readonly isReverse?: boolean
  readonly tone?: 'positive' | 'warning'
}

/** One figure. */
export const Tile = ({ label, value, change = 0, as = 'figure', isReverse = false, tone }: TileProps) => {
  const { t } = useTranslation('training')
  const rounded = Math.round(change * 100)
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" px="3" py="2" minW="0">
      <Text textStyle="secondary" color="fg.muted" truncate title={label}>
        {label}
      </Text>
      <HStack gap="2" align="baseline">
        <Text
          as="span"
          fontSize="lg"
          fontWeight="semibold"
          fontVariantNumeric="tabular-nums"
          color={tone === undefined ? undefined : `${tone}.fg`}
        >
          {value}
        </Text>
        {rounded === 0 ? null : (
          <Text
            as="span"
            textStyle="secondary"
            fontVariantNumeric="tabular-nums"
            color={rounded > 0 === isReverse ? 'warning.fg' : 'positive.fg'}
          >
            {as === 'percent' ? t('changepercent', { value: rounded }) : t('changefigure', { value: change })}
          </Text>
        )}
      </HStack>
    </Box>
  )
}

type Score = Evaluation['intents'][number]

interface IntentScoresProps {
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
}: Required<Pick<IntentScoresProps, 'evaluation' | 'onShowLines'>> & { cell: Cell }) => {
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
const IntentScores = (props: IntentScoresProps) => {
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
    <Box flex="1 1 340px" minW="0">
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

interface TestBoxProps {
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

const Answer = ({ parent, project, model, text }: Omit<TestBoxProps, 'other'> & { readonly text: string }) => {
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
const TestBox = ({ other, ...props }: TestBoxProps) => {
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

/** A model whose evaluation cannot be read; the model itself may work. */
const FailedEvaluation = ({ error }: { readonly error: unknown }) => {
  const { t } = useTranslation('training')
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      <EmptyState
        icon={FileQuestion}
        title={t('noevaluation')}
        text={isProblem(error) ? error.message : t('noanswer')}
      />
    </Box>
  )
}

interface Props {
  readonly owner: StatementOwner
  readonly project: RowOf<'nluproject' | 'brain'>
  readonly model: ListedModel
  /** The model that it is shown against. */
  readonly other: ListedModel | undefined
  readonly intents: readonly Intent[]
}

const meanF1 = (scores: Evaluation['entities']): number =>
  scores.length === 0 ? 0 : scores.reduce((sum, { f1 }) => sum + f1, 0) / scores.length

const Tiles = ({ evaluation, before }: { evaluation: Evaluation; before: Evaluation | undefined }) => {
  const { t } = useTranslation('training')
  const accuracyOf = ({ right, lines }: Evaluation) => (lines === 0 ? 0 : right / lines)
  const change = (of: (each: Evaluation) => number) => (before === undefined ? 0 : of(evaluation) - of(before))
  return (
    <SimpleGrid columns={{ base: 2, md: evaluation.entities.length === 0 ? 4 : 5 }} gap="3">
      <Tile label={t('tile.f1')} value={t('figure', { value: evaluation.f1 })} change={change(each => each.f1)} />
      <Tile
        label={t('tile.right')}
        value={t('percent', { value: accuracyOf(evaluation) })}
        change={change(accuracyOf)}
        as="percent"
      />
      {evaluation.entities.length === 0 ? null : (
        <Tile
          label={t('tile.entities')}
          value={t('figure', { value: meanF1(evaluation.entities) })}
          change={before?.entities.length ? change(each => meanF1(each.entities)) : 0}
        />
      )}
      <Tile
        label={t('tile.below')}
        value={t('percent', { value: evaluation.below })}
        change={change(each => each.below)}
        as="percent"
        isReverse
      />
      <Tile label={t('tile.threshold')} value={t('figure', { value: evaluation.threshold })} />
    </SimpleGrid>
  )
}

/** Evaluation of a trained model, with corrections. */
export const EvaluationPane = ({ owner, project, model, other, intents }: Props) => {
  const { t } = useTranslation('training')
  const { parent } = owner
  const query = useEvaluation(parent, project.id, model.id)
  const before = useEvaluation(parent, project.id, other?.id).data
  const [cell, setCell] = useState<Cell>()
  const list = useRef<HTMLDivElement>(null)
  const evaluation = query.data
  if (query.error && evaluation === undefined) return <FailedEvaluation error={query.error} />
  if (evaluation === undefined) return <RowsSkeleton rows={8} />
  const showLines = () => list.current?.scrollIntoView({ block: 'start' })
  return (
    <Stack gap="4">
      <HStack gap="2.5" align="baseline" flexWrap="wrap">
        <Text as="h2" textStyle="title">
          {t('heading', { number: model.number })}
        </Text>
        <Text textStyle="dense" color="fg.muted">
          {t('basis', { count: evaluation.lines })}
          {other === undefined || before === undefined ? '' : ` · ${t('against', { number: other.number })}`}
        </Text>
      </HStack>
      <Tiles evaluation={evaluation} before={before} />
      {/* The scores go below where the matrix beside them would be cut off. */}
      <Flex wrap="wrap" gap="4" align="stretch">
        <ConfusionMatrix evaluation={evaluation} cell={cell} onCell={setCell} />
        <IntentScores
          {...{ owner, project, intents, evaluation, before, cell }}
          otherNumber={other?.number}
          onShowLines={showLines}
        />
      </Flex>
      <TestBox {...{ parent, project, model }} other={other} />
      <div ref={list}>
        <MistakeList {...{ owner, project, intents, evaluation, cell }} onClear={() => setCell(undefined)} />
      </div>
    </Stack>
  )
}
