import { Box, HStack, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { FileQuestion } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedModel } from '#domain/nlu-training.ts'
import type { RowOf } from '#schemas/row.ts'
import { isProblem } from '#web/api/failure.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { type Evaluation, useEvaluation } from '#web/features/evaluation/index.ts'
import type { Intent, StatementOwner } from '#web/features/statement/index.ts'
import { type Cell, ConfusionMatrix } from './confusion-matrix.tsx'
import { IntentScores } from './intent-scores.tsx'
import { MistakeList } from './mistake-list.tsx'
import { TestBox } from './test-box.tsx'
import { Tile } from './tile.tsx'

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
      <Stack direction={{ base: 'column', xl: 'row' }} gap="4" align="stretch">
        <ConfusionMatrix evaluation={evaluation} cell={cell} onCell={setCell} />
        <IntentScores
          {...{ owner, project, intents, evaluation, before, cell }}
          otherNumber={other?.number}
          onShowLines={showLines}
        />
      </Stack>
      <TestBox {...{ parent, project, model }} other={other} />
      <div ref={list}>
        <MistakeList {...{ owner, project, intents, evaluation, cell }} onClear={() => setCell(undefined)} />
      </div>
    </Stack>
  )
}
