import { Box, Button, chakra, HStack, Spinner, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { openPhones } from '#domain/audience/phone.ts'
import { failureOf } from '#web/api/failure.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useContactFieldName } from '#web/form/control/contact-field-name.ts'
import { GroupedErrorsBar } from './grouped-errors-bar.tsx'
import { REPEATED, readRows, shownColumns } from './read-rows.ts'
import { RowsTable } from './rows-table.tsx'
import { withCells, withoutLines } from './sheet.ts'
import type { useContactFile } from './use-contact-file.ts'

const MAX_ROWS = 100
const MAX_SHOWN_COLUMNS = 6

/** The reader of numbers with the metadata of all countries, fetched when it is needed. */
const usePhones = () =>
  useQuery({ queryKey: ['phone-reader'], queryFn: openPhones, staleTime: Number.POSITIVE_INFINITY, retry: false }).data

/** Shares of the lines that go in, are left out and are refused, as one bar. */
const Shares = ({ good, left, bad }: { readonly good: number; readonly left: number; readonly bad: number }) => (
  <HStack h="2" gap="2px" borderRadius="full" overflow="hidden" bg="bg.sunken" aria-hidden="true">
    {good === 0 ? null : <Box h="100%" bg="positive.solid" style={{ flexGrow: good }} />}
    {left === 0 ? null : <Box h="100%" minW="6px" bg="warning.solid" style={{ flexGrow: left }} />}
    {bad === 0 ? null : (
      <Box
        h="100%"
        minW="6px"
        style={{
          flexGrow: bad,
          background:
            'repeating-linear-gradient(45deg, var(--chakra-colors-danger-solid) 0 4px, var(--chakra-colors-danger-muted) 4px 6px)',
        }}
      />
    )}
  </HStack>
)

interface PanelProps {
  readonly state: ReturnType<typeof useContactFile>
}

const MAX_LINES = 8

const Head = ({ state: { dryRun, isStale } }: PanelProps) => {
  const { t } = useTranslation('contact')
  const { data } = dryRun
  const repeated = data?.repeated ?? 0
  const lines = (data?.faults ?? []).filter(({ code }) => code === REPEATED).map(({ line }) => line)
  const list = `${lines.slice(0, MAX_LINES).join(', ')}${repeated > Math.min(lines.length, MAX_LINES) ? '…' : ''}`
  const present = (data?.duplicate ?? 0) - repeated
  return (
    <HStack gap="3" rowGap="1" flexWrap="wrap">
      <Text as="h2" textStyle="card">
        {t('map.dryrun')}
      </Text>
      <HStack role="status" gap="2" textStyle="secondary" color="fg.muted" flex="1">
        {dryRun.isFetching || isStale ? <Spinner size="xs" aria-label={t('map.trying')} /> : null}
        {data === undefined
          ? null
          : [
              t('map.read', { count: data.read }),
              ...(repeated === 0
                ? []
                : [t('map.repeated', { count: repeated, lines: t('map.linelist', { count: repeated, lines: list }) })]),
              ...(present === 0 ? [] : [t('map.duplicate', { count: present })]),
              ...(data.suppressed === 0 ? [] : [t('map.suppressed', { count: data.suppressed })]),
              ...(data.dropped === 0 ? [] : [t('map.dropped', { count: data.dropped })]),
            ].join(' ')}
      </HStack>
      <Button size="xs" disabled={dryRun.isFetching} onClick={() => void dryRun.refetch()}>
        <RefreshCw size={13} aria-hidden="true" />
        {t('map.again')}
      </Button>
    </HStack>
  )
}

type Only = 'all' | 'refused'

interface OverviewProps extends PanelProps {
  readonly only: Only
  onOnly(only: Only): void
}

/** Summary of the dry run. */
const Overview = ({ state, only, onOnly }: OverviewProps) => {
  const { t } = useTranslation('contact')
  const { loaded, dryRun, isApt } = state
  const { data, error } = dryRun
  const invalid = data?.invalid ?? 0
  const repeated = data?.repeated ?? 0
  return (
    <Box px="4" py="3" display="grid" gap="2.5">
      <Head state={state} />
      {isApt ? null : (
        <HStack gap="2" color="warning.fg" textStyle="dense">
          <CircleAlert size={15} aria-hidden="true" />
          {t('map.nophone')}
        </HStack>
      )}
      {error ? <ErrorLine text={failureOf(error, t('map.nottried'))} /> : null}
      {isApt && invalid === 0 && data?.error != null ? <ErrorLine text={data.error} /> : null}
      {data === undefined || !isApt ? null : <Shares good={data.valid - repeated} left={repeated} bad={invalid} />}
      {data === undefined || !isApt || data.faults.length === 0 ? null : (
        <Box>
          <Segments<Only>
            label={t('map.filter')}
            value={only}
            options={[
              { value: 'all', label: t('map.all', { count: loaded?.preview.count ?? 0 }) },
              { value: 'refused', label: t('map.onlyrefused', { count: invalid + repeated }) },
            ]}
            onChange={onOnly}
          />
        </Box>
      )}
    </Box>
  )
}

/** Outcome of each line, its faults and corrections. Writes nothing. */
export const DryRunPanel = ({ state }: PanelProps) => {
  const { t } = useTranslation('contact')
  const fieldName = useContactFieldName()
  const [only, setOnly] = useState<Only>('all')
  const readPhone = usePhones()
  const { loaded, taking, dryRun, isApt, mend } = state
  if (loaded === undefined || taking === undefined) return null
  const { sheet, preview } = loaded
  const faults = isApt ? (dryRun.data?.faults ?? []) : []
  const columns = shownColumns(taking, MAX_SHOWN_COLUMNS)
  const isRefusedOnly = only === 'refused' && faults.length > 0
  const rows = readRows({ sheet, taking, faults, columns, readPhone }, isRefusedOnly, MAX_ROWS)
  const headOf = (column: number) => {
    const target = taking.targets[column] ?? ''
    return target === '' ? (preview.columns[column]?.name ?? '') : fieldName(target)
  }
  const prefixed = (lines: ReadonlySet<number>, column: number, prefix: string) => {
    const texts = sheet.rows
      .filter(({ line }) => lines.has(line))
      .map(({ line, cells }) => [line, cells[column]] as const)
    return new Map(texts.map(([line, text = '']) => [line, `${prefix} ${text.trim()}`]))
  }
  return (
    <chakra.section
      aria-label={t('map.dryrun')}
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      minW="0"
      overflow="hidden"
    >
      <Overview state={state} only={only} onOnly={setOnly} />
      <RowsTable
        rows={rows}
        heads={columns.map(headOf)}
        onMend={(line, column, text) => mend(withCells(sheet, column, new Map([[line, text]])))}
      />
      <GroupedErrorsBar
        faults={faults}
        taking={taking}
        hasMore={
          (dryRun.data?.invalid ?? 0) + (dryRun.data?.repeated ?? 0) > new Set(faults.map(({ line }) => line)).size
        }
        onLeave={lines => mend(withoutLines(sheet, lines))}
        onPrefix={(lines, column, prefix) => mend(withCells(sheet, column, prefixed(lines, column, prefix)))}
      />
    </chakra.section>
  )
}
