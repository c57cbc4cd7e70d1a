import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { ChartColumn, Download, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconButton } from '#web/components/icon-button.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { type ChartTable, tableCsv } from './chart-table.ts'

const RouterLink = chakra(Link)

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
