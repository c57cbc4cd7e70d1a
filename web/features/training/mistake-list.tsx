import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Check, RotateCcw, Shuffle } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { parseStatement } from '#domain/nlu/project-data.ts'
import { reviewedOf } from '#domain/nlu-training.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { Chip, RemovableChip } from '#web/components/chip.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import {
  type Intent,
  MarkedText,
  newLineId,
  type StatementOwner,
  useEntityNames,
  useSaveLines,
} from '#web/features/statement/index.ts'
import type { Evaluation } from '#web/nlu/training-status.tsx'
import type { Cell } from './confusion-matrix.tsx'
import { type Mistake, misclassifiedLines, similarLines } from './mistake.ts'
import { intentAddress } from './use-answer.ts'

interface MistakeRowProps {
  readonly owner: StatementOwner
  readonly project: string
  readonly mistake: Mistake
  readonly entities: readonly string[]
  readonly move: ((mistake: Mistake) => Promise<void>) | undefined
  readonly review: ((mistake: Mistake) => void) | undefined
}

/** One line that the model took for another intent, and what can be done about it. */
const MistakeRow = ({ owner, project, mistake, entities, move, review }: MistakeRowProps) => {
  const { t } = useTranslation('training')
  const { text, intent, as, score, like, isDone, target, line } = mistake
  const address = mistake.owner && intentAddress(owner, project, mistake.owner.id, line)
  return (
    <Box role="listitem" px="4" py="2.5" borderBottomWidth="1px">
      <Box fontSize={{ base: 'md', md: 'sm' }} lineHeight="1.6" overflowWrap="anywhere">
        <MarkedText statement={parseStatement(text)} entities={entities} />
      </Box>
      {like === undefined ? null : (
        <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
          {t('mistakes.other', { text: parseStatement(like).text })}
        </Text>
      )}
      <HStack mt="1.5" gap="2" flexWrap="wrap">
        <Text as="span" textStyle="secondary" fontFamily="mono">
          {intent}
        </Text>
        <Chip tone="warning" minW="0" flexShrink="1">
          <Shuffle size={12} aria-hidden="true" style={{ flex: 'none' }} />
          <Text as="span" truncate>
            {t(like === undefined ? 'mistakes.taken' : 'mistakes.looks', { name: as, score })}
          </Text>
        </Chip>
        <HStack gap="1" ms="auto" flexWrap="wrap">
          {address === undefined ? (
            <Text as="span" textStyle="secondary" color="fg.muted">
              {t('mistakes.inherited')}
            </Text>
          ) : (
            <Button asChild size="xs" variant="ghost" color="accent.fg">
              <Link to={address}>{t('mistakes.open')}</Link>
            </Button>
          )}
          {move === undefined || address === undefined || target === undefined || isDone ? null : (
            <Button size="xs" variant="ghost" color="accent.fg" onClick={() => void move(mistake)}>
              {t('mistakes.move', { name: as })}
            </Button>
          )}
          {review === undefined ? null : (
            <Button size="xs" variant="outline" onClick={() => review(mistake)}>
              {isDone ? <RotateCcw size={13} aria-hidden="true" /> : <Check size={13} aria-hidden="true" />}
              {t(isDone ? 'mistakes.again' : 'mistakes.markdone')}
            </Button>
          )}
        </HStack>
      </HStack>
    </Box>
  )
}

interface Props {
  readonly owner: StatementOwner
  readonly project: RowOf<'nluproject' | 'brain'>
  readonly intents: readonly Intent[]
  readonly evaluation: Evaluation
  readonly cell: Cell | undefined
  /** Takes the choice of a cell away. */
  onClear(): void
}

type MistakeGroup = 'wrong' | 'like' | 'done'
const GROUPS: readonly MistakeGroup[] = ['wrong', 'like', 'done']

const useMistakes = ({ project, intents, evaluation }: Props): Readonly<Record<MistakeGroup, readonly Mistake[]>> =>
  useMemo(() => {
    const inherits = typeof project.inheritfrom === 'string'
    const context = { intents, reviewed: reviewedOf(project.reviewed), inherits }
    const [wrong, like] = [misclassifiedLines(evaluation, context), similarLines(evaluation, context)]
    return {
      wrong: wrong.filter(({ isDone }) => !isDone),
      like: like.filter(({ isDone }) => !isDone),
      done: [...wrong, ...like].filter(({ isDone }) => isDone),
    }
  }, [project.inheritfrom, project.reviewed, intents, evaluation])

const useActs = ({ owner, project }: Props) => {
  const { can } = useSession()
  const command = useEntityCommand(ENTITIES[owner.parent])
  const save = useSaveLines(owner, project.id)
  const mayEdit = can(`update${owner.entity}`)
  return {
    move: mayEdit
      ? async ({ line, owner: from, target }: Mistake) => {
          const moved = from?.statements.find(({ id }) => id === line)
          if (from === undefined || target === undefined || moved === undefined) return
          const isThere = await save(target.id, lines => [...lines, { ...moved, id: newLineId() }])
          if (isThere) await save(from.id, lines => lines.filter(({ id }) => id !== line))
        }
      : undefined,
    review: can(`reviewline${owner.parent}`)
      ? ({ line, as, isDone }: Mistake) => void command.act(project, 'reviewline', { line, as, done: !isDone })
      : undefined,
  }
}

type Acts = ReturnType<typeof useActs>

const Rows = ({
  owner,
  project,
  lines,
  acts,
}: Pick<Props, 'owner' | 'project'> & { lines: readonly Mistake[]; acts: Acts }) => {
  const { t } = useTranslation('training')
  const scroll = useRef<HTMLDivElement>(null)
  const entities = useEntityNames(owner, project.id)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 84,
    getItemKey: at => lines[at]?.key ?? at,
    overscan: 8,
  })
  return (
    <Box ref={scroll} maxH="520px" overflow="auto" borderTopWidth="1px">
      <Box role="list" aria-label={t('mistakes.title')} position="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(item => {
          const mistake = lines[item.index]
          return mistake === undefined ? null : (
            <div
              key={item.key}
              ref={rows.measureElement}
              data-index={item.index}
              style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${item.start}px)` }}
            >
              <MistakeRow {...{ owner, mistake, entities }} project={project.id} {...acts} />
            </div>
          )
        })}
      </Box>
    </Box>
  )
}

/** Mistakes of the model as a list of corrections. */
export const MistakeList = (props: Props) => {
  const { owner, project, cell, onClear } = props
  const { t } = useTranslation('training')
  const mistakes = useMistakes(props)
  const acts = useActs(props)
  const [chosen, setChosen] = useState<MistakeGroup>('wrong')
  const group = cell === undefined ? chosen : 'wrong'
  const lines = mistakes[group].filter(
    ({ intent, as }) => cell === undefined || (intent === cell.intent && as === cell.found),
  )
  const beside =
    cell === undefined ? (
      <Segments<MistakeGroup>
        label={t('mistakes.show')}
        value={group}
        options={GROUPS.map(value => ({ value, label: t(`mistakes.${value}`, { count: mistakes[value].length }) }))}
        onChange={setChosen}
      />
    ) : (
      <RemovableChip disabled={false} name={`${cell.intent} → ${cell.found}`} onRemove={onClear}>
        {cell.intent} → {cell.found}
      </RemovableChip>
    )
  return (
    <Card title={t('mistakes.title')} beside={beside}>
      {lines.length === 0 ? (
        <Text textStyle="dense" color="fg.muted" p="6" textAlign="center">
          {t(`mistakes.no${group}`)}
        </Text>
      ) : (
        <Rows {...{ owner, project, lines, acts }} />
      )}
      <Text textStyle="secondary" color="fg.muted" px="4" py="2" borderTopWidth="1px">
        {t('mistakes.help')}
      </Text>
    </Card>
  )
}
