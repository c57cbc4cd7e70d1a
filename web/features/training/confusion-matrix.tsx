import { Box, chakra, Text } from '@chakra-ui/react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '#web/components/card.tsx'
import { Segments } from '#web/components/segments.tsx'
import type { Evaluation } from '#web/nlu/training-status.tsx'

/** Lines of `intent` that were taken for `found`. */
export interface Cell {
  readonly intent: string
  readonly found: string
}

interface Props {
  readonly evaluation: Evaluation
  readonly cell: Cell | undefined
  onCell(cell: Cell | undefined): void
}

/** Intents shown at first: the most confused ones. */
const FEW = 12
/** Beyond these the picture says nothing. */
const MANY = 60

/** Intents by the lines that they got wrongly or lost, the most first; of equal ones by name. */
const byMistakes = ({ intents, confusion }: Evaluation): readonly string[] => {
  const mistakes = new Map(intents.map(({ name }) => [name, 0]))
  for (const { intent, found, count } of confusion)
    if (intent !== found) for (const name of [intent, found]) mistakes.set(name, (mistakes.get(name) ?? 0) + count)
  return intents.map(({ name }) => name).toSorted((a, b) => (mistakes.get(b) ?? 0) - (mistakes.get(a) ?? 0))
}

const sameCell = (one: Cell | undefined, other: Cell) => one?.intent === other.intent && one.found === other.found

interface SquareProps {
  readonly count: number
  /** Part of the intent's lines. */
  readonly share: number
  readonly at: Cell
  readonly isChosen: boolean
  onChoose(): void
}

const Square = ({ count, share, at, isChosen, onChoose }: SquareProps) => {
  const { t } = useTranslation('training')
  const isRight = at.intent === at.found
  if (count === 0) return <Box as="td" bg="bg.sunken" borderRadius="sm" h="8" />
  const strength = Math.round(25 + 75 * Math.min(1, isRight ? share : share * 3))
  return (
    <Box as="td" p="0" h="8">
      <chakra.button
        type="button"
        aria-pressed={isChosen}
        aria-label={t(isRight ? 'cellright' : 'cell', { ...at, count })}
        title={t(isRight ? 'cellright' : 'cell', { ...at, count })}
        w="100%"
        h="100%"
        minW={{ base: '8', xl: '7' }}
        borderRadius="sm"
        cursor="pointer"
        fontSize="xs"
        fontWeight="semibold"
        fontVariantNumeric="tabular-nums"
        color={strength > 60 ? 'bg' : 'fg'}
        outlineWidth={isChosen ? '2px' : undefined}
        outlineStyle={isChosen ? 'solid' : undefined}
        outlineColor="accent.solid"
        outlineOffset="1px"
        focusVisibleRing="outside"
        style={{
          background: `color-mix(in oklab, var(--chakra-colors-${isRight ? 'fg' : 'warning-solid'}) ${strength}%, var(--chakra-colors-bg-sunken))`,
        }}
        onClick={onChoose}
      >
        {count}
      </chakra.button>
    </Box>
  )
}

const ColumnHeads = ({ names }: { readonly names: readonly string[] }) => (
  <thead>
    <tr>
      <td />
      {names.map(name => (
        <chakra.th key={name} scope="col" h="112px" verticalAlign="bottom" fontWeight="normal" maxW="9">
          <Text
            as="span"
            display="inline-block"
            textStyle="secondary"
            color="fg.muted"
            fontFamily="mono"
            maxH="108px"
            truncate
            style={{ writingMode: 'vertical-rl', transform: 'rotate(180deg)' }}
            title={name}
          >
            {name}
          </Text>
        </chakra.th>
      ))}
    </tr>
  </thead>
)

interface RowProps extends Props {
  readonly intent: string
  readonly names: readonly string[]
  readonly counts: ReadonlyMap<string, number>
}

const MatrixRow = ({ evaluation, intent, names, counts, cell, onCell }: RowProps) => {
  const lines = evaluation.intents.find(({ name }) => name === intent)?.count ?? 0
  return (
    <tr>
      <chakra.th scope="row" pe="2" fontWeight="normal" textAlign="end" maxW={{ base: '120px', md: '170px' }}>
        <Text as="span" display="block" textStyle="secondary" fontFamily="mono" truncate title={intent}>
          {intent}
        </Text>
      </chakra.th>
      {names.map(found => {
        const count = counts.get(`${intent}\n${found}`) ?? 0
        const at = { intent, found }
        const isChosen = sameCell(cell, at)
        return (
          <Square
            key={found}
            {...{ count, at, isChosen }}
            share={count / Math.max(1, lines)}
            onChoose={() => onCell(isChosen ? undefined : at)}
          />
        )
      })}
    </tr>
  )
}

/** Rows are what lines say, columns what was found; a cell shows its lines. */
export const ConfusionMatrix = ({ evaluation, cell, onCell }: Props) => {
  const { t } = useTranslation('training')
  const [isWhole, setWhole] = useState(false)
  const order = useMemo(() => byMistakes(evaluation), [evaluation])
  const names = order.slice(0, isWhole ? MANY : FEW)
  const counts = useMemo(
    () => new Map(evaluation.confusion.map(({ intent, found, count }) => [`${intent}\n${found}`, count])),
    [evaluation],
  )
  const beside =
    order.length > FEW ? (
      <Segments
        label={t('matrix.show')}
        value={isWhole ? 'all' : 'few'}
        options={[
          { value: 'few', label: t('matrix.few', { count: FEW }) },
          { value: 'all', label: t('matrix.all', { count: Math.min(MANY, order.length) }) },
        ]}
        onChange={value => setWhole(value === 'all')}
      />
    ) : (
      <Text as="span" textStyle="secondary" color="fg.muted">
        {t('matrix.axes')}
      </Text>
    )
  return (
    <Box flex="2 1 620px" minW="0">
      <Card title={t('matrix.title')} beside={beside}>
        <Box overflow="auto" px="4" pb="4" tabIndex={0} role="group" aria-label={t('matrix.title')}>
          <chakra.table style={{ borderCollapse: 'separate', borderSpacing: 2 }}>
            <ColumnHeads names={names} />
            <tbody>
              {names.map(intent => (
                <MatrixRow key={intent} {...{ evaluation, intent, names, counts, cell, onCell }} />
              ))}
            </tbody>
          </chakra.table>
        </Box>
      </Card>
    </Box>
  )
}
