import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { ChartColumn, Download, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { csvRecord } from '#domain/csv/cell.ts'
import { IconButton } from '#web/components/hint.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { RouterLink } from '#web/page/router-link.ts'

/** The numbers of a chart: the first column names the row. */
export interface ChartTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** Begins with a byte order mark: without it spreadsheets misread accents. */
export const tableCsv = ({ columns, rows }: ChartTable): string =>
  `\ufeff${[columns, ...rows].map(cells => csvRecord(cells.map(String))).join('')}`

export const CHART_HEIGHT = 220

interface NumbersProps {
  readonly title: string
  readonly table: ChartTable
  readonly rowAddress?: ((first: string) => string) | undefined
}

const Numbers = ({ title, table, rowAddress }: NumbersProps) => (
  <Box
    overflow="auto"
    tabIndex={0}
    role="region"
    aria-label={title}
    style={{ maxHeight: CHART_HEIGHT }}
    focusVisibleRing="inside"
  >
    <chakra.table w="100%" textStyle="secondary" css={{ fontVariantNumeric: 'tabular-nums' }}>
      <thead>
        <tr>
          {table.columns.map((column, at) => (
            <chakra.th
              key={column}
              scope="col"
              position="sticky"
              top="0"
              bg="bg.surface"
              px="2"
              py="1"
              whiteSpace="nowrap"
              textAlign={at === 0 ? 'start' : 'end'}
              color="fg.muted"
            >
              {column}
            </chakra.th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(([first = '', ...cells]) => (
          <chakra.tr key={first} borderTopWidth="1px">
            <chakra.th scope="row" px="2" py="1" textAlign="start" fontWeight="normal" whiteSpace="nowrap">
              {rowAddress === undefined ? (
                first
              ) : (
                <RouterLink
                  to={rowAddress(String(first))}
                  color="accent.fg"
                  borderRadius="xs"
                  focusVisibleRing="inside"
                >
                  {first}
                </RouterLink>
              )}
            </chakra.th>
            {cells.map((cell, at) => (
              <chakra.td key={table.columns[at + 1]} px="2" py="1" textAlign="end">
                {cell}
              </chakra.td>
            ))}
          </chakra.tr>
        ))}
      </tbody>
    </chakra.table>
  </Box>
)

interface Props {
  readonly title: string
  readonly beside?: ReactNode
  /** Name of its CSV file, without ending. */
  readonly file: string
  readonly table: ChartTable
  /** Link of a table row, by its first cell. */
  readonly rowAddress?: ((first: string) => string) | undefined
  /** Said instead of a chart without any number. */
  readonly empty?: string | undefined
  readonly children: ReactNode
}

/** A chart, its numbers as a table in the same place, and as CSV. */
export const ChartCard = ({ title, beside, file, table, rowAddress, empty, children }: Props) => {
  const { t } = useTranslation('tool')
  const [isTable, setTable] = useState(false)
  const save = () => saveFile(new Blob([tableCsv(table)], { type: 'text/csv;charset=utf-8' }), `${file}.csv`)
  return (
    <Box as="section" aria-label={title} bg="bg.surface" borderWidth="1px" borderRadius="lg" minW="0">
      <HStack px="4" minH="46px" gap="2">
        <Box flex="1" minW="0" py="1.5">
          <Text as="h2" textStyle="card">
            {title}
          </Text>
          {beside ? (
            <Text textStyle="secondary" color="fg.muted">
              {beside}
            </Text>
          ) : null}
        </Box>
        <IconButton
          icon={isTable ? ChartColumn : Table2}
          label={t(isTable ? 'dashboard.chart' : 'dashboard.table')}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        />
        <IconButton icon={Download} label={t('dashboard.csv')} onClick={save} />
      </HStack>
      <Box px="4" pb="4">
        {isTable ? (
          <Numbers title={title} table={table} rowAddress={rowAddress} />
        ) : empty === undefined ? (
          children
        ) : (
          <Box borderWidth="1px" borderStyle="dashed" borderRadius="md" p="6" textAlign="center" color="fg.muted">
            <Text textStyle="dense">{empty}</Text>
          </Box>
        )}
      </Box>
    </Box>
  )
}

const SIZE = 6
/** Stripe angle in degrees and share of color: distinguish series of the same color. */
const LOOKS = [
  { turn: 45, share: 0.55 },
  { turn: -45, share: 0.4 },
  { turn: 0, share: 0.5 },
  { turn: 90, share: 0.4 },
] as const

const lookOf = (repeat: number) => LOOKS[(repeat - 1) % LOOKS.length] ?? LOOKS[0]

interface Fill {
  /** CSS color. */
  readonly color: string
  /** Number of earlier series of the same color. */
  readonly repeat?: number
}

export const patternId = (chart: string, at: number): string => `${chart}-${at}`.replaceAll(/[^\w-]/gu, '')

/** Stripes for the series whose color is taken already. */
export const Patterns = ({ id, series }: { readonly id: string; readonly series: readonly Fill[] }) => (
  <defs>
    {series.map(({ color, repeat = 0 }, at) => {
      if (repeat === 0) return null
      const { turn, share } = lookOf(repeat)
      const key = patternId(id, at)
      return (
        <pattern
          key={key}
          id={key}
          width={SIZE}
          height={SIZE}
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${turn})`}
        >
          <rect width={SIZE} height={SIZE} fill={color} fillOpacity={0.25} />
          <rect width={SIZE * share} height={SIZE} fill={color} />
        </pattern>
      )
    })}
  </defs>
)

/** The fill of a series in a legend. */
export const Swatch = ({ color, repeat = 0 }: Fill) => {
  const { turn, share } = lookOf(Math.max(1, repeat))
  const stop = Math.round(SIZE * share)
  const stripes = `repeating-linear-gradient(${90 + turn}deg, ${color} 0 ${stop}px, transparent ${stop}px ${SIZE}px)`
  return (
    <chakra.span
      aria-hidden="true"
      boxSize="2.5"
      flex="none"
      borderRadius="xs"
      style={repeat === 0 ? { background: color } : { backgroundImage: stripes, boxShadow: `inset 0 0 0 1px ${color}` }}
    />
  )
}
