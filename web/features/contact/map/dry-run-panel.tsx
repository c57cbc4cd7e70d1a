import { Box, Button, chakra, HStack, Input, Spinner, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, CopyMinus, RefreshCw, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { openPhones } from '#domain/audience/phone.ts'
import { failureOf } from '#web/api/failure.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Segments } from '#web/components/segments.tsx'
import { submits } from '#web/components/submits.ts'
import { useContactFieldName } from '#web/form/control/contact-field-name.ts'
import { withCells, withoutLines } from './sheet.ts'
import {
  faultColumn,
  REPEATED,
  type ReadCell,
  type ReadRow,
  readRows,
  shownColumns,
  type UploadFault,
  type UploadMapping,
  type useContactFile,
} from './use-contact-file.ts'

const HEAD = { textStyle: 'secondary', color: 'fg.muted', fontWeight: 'semibold', textAlign: 'start', h: '9' } as const

const ONE_LINE = {
  display: 'block',
  whiteSpace: 'nowrap',
  maxW: '220px',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
} as const

interface CellProps {
  readonly cell: ReadCell
  readonly name: string
  readonly line: number
  readonly isOpen: boolean
  onMend(text: string): void
  onClose(): void
}

const MendInput = ({ cell, name, line, onMend, onClose }: Omit<CellProps, 'isOpen'>) => {
  const { t } = useTranslation('contact')
  const [text, setText] = useState(cell.read ?? cell.kept)
  return (
    <form onSubmit={submits(() => onMend(text))}>
      <Input
        size="sm"
        minW="150px"
        autoFocus
        aria-label={t('map.mendcell', { name, line })}
        value={text}
        onChange={event => setText(event.target.value)}
        onBlur={() => (text === (cell.read ?? cell.kept) ? onClose() : onMend(text))}
        onKeyDown={event => {
          if (event.key === 'Escape') onClose()
        }}
      />
    </form>
  )
}

const Cell = (props: CellProps) => {
  const { t } = useTranslation('contact')
  const { cell, isOpen } = props
  const { kept, read, fault } = cell
  return (
    <chakra.td px="2.5" py="1.5" textStyle="dense" maxW="240px" verticalAlign="middle">
      {isOpen ? (
        <MendInput {...props} />
      ) : fault === undefined ? (
        <>
          <chakra.span {...ONE_LINE} title={kept}>
            {kept}
          </chakra.span>
          {read === undefined ? null : (
            <chakra.del {...ONE_LINE} textStyle="secondary" color="fg.muted">
              {read}
            </chakra.del>
          )}
        </>
      ) : (
        <chakra.span
          display="inline-block"
          px="1.5"
          borderWidth="1px"
          borderStyle="dashed"
          borderColor="danger.solid"
          borderRadius="sm"
          whiteSpace="nowrap"
          maxW="220px"
          overflow="hidden"
          textOverflow="ellipsis"
        >
          {(read ?? kept) || <i>{t('map.empty')}</i>}
        </chakra.span>
      )}
    </chakra.td>
  )
}

interface TableProps {
  readonly rows: readonly ReadRow[]
  /** Names of the columns, in the order of the cells. */
  readonly heads: readonly string[]
  onMend(line: number, column: number, text: string): void
}

interface LineProps extends Pick<TableProps, 'heads' | 'onMend'> {
  readonly row: ReadRow
}

const Line = ({ row, heads, onMend }: LineProps) => {
  const { t } = useTranslation('contact')
  const [open, setOpen] = useState<number>()
  const { line, cells, faults } = row
  const isRepeated = faults.length > 0 && faults.every(({ code }) => code === REPEATED)
  const isRefused = faults.length > 0 && !isRepeated
  const tone = isRepeated ? 'warning' : 'danger'
  const place = cells.find(({ fault }) => fault !== undefined)
  return (
    <chakra.tr borderTopWidth="1px" bg={faults.length > 0 ? `${tone}.subtle` : undefined}>
      <chakra.th scope="row" px="2.5" h="11" textAlign="end" fontWeight="normal" textStyle="dense" color="fg.muted">
        {line}
      </chakra.th>
      <chakra.td w="7" color={faults.length > 0 ? `${tone}.fg` : 'positive.fg'}>
        {isRefused ? (
          <X size={16} aria-label={t('map.refused')} role="img" />
        ) : isRepeated ? (
          <CopyMinus size={16} aria-label={t('map.leftout')} role="img" />
        ) : (
          <Check size={16} aria-label={t('map.taken')} role="img" />
        )}
      </chakra.td>
      {cells.map((cell, at) => (
        <Cell
          key={cell.column}
          cell={cell}
          name={heads[at] ?? ''}
          line={line}
          isOpen={open === cell.column}
          onMend={text => {
            setOpen(undefined)
            onMend(line, cell.column, text)
          }}
          onClose={() => setOpen(undefined)}
        />
      ))}
      <chakra.td px="2.5" py="1.5" textStyle="secondary" minW="180px">
        {faults.map(({ message, code, column }) => (
          <Text key={`${code} ${column}`} color={`${tone}.fg`} fontWeight="semibold">
            {message}
          </Text>
        ))}
        {place !== undefined && open === undefined ? (
          <Button size="2xs" variant="plain" px="0" color="accent.fg" onClick={() => setOpen(place.column)}>
            {t('map.mend')}
            <chakra.span srOnly> {t('map.line', { line })}</chakra.span>
          </Button>
        ) : null}
      </chakra.td>
    </chakra.tr>
  )
}

/** Lines of the file: the value that is kept, the one that was read struck below it, and what is wrong. */
const RowsTable = ({ rows, heads, onMend }: TableProps) => {
  const { t } = useTranslation('contact')
  return (
    <Box overflowX="auto" tabIndex={0} aria-label={t('map.rows')} role="group">
      <chakra.table w="100%" borderCollapse="collapse">
        <thead>
          <tr>
            <chakra.th scope="col" {...HEAD} px="2.5" textAlign="end">
              {t('map.linehead')}
            </chakra.th>
            <chakra.td />
            {heads.map(head => (
              <chakra.th key={head} scope="col" {...HEAD} px="2.5" whiteSpace="nowrap">
                {head}
              </chakra.th>
            ))}
            <chakra.td />
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <Line key={row.line} row={row} heads={heads} onMend={onMend} />
          ))}
        </tbody>
      </chakra.table>
    </Box>
  )
}

/** Lines with the same fault in the same column. */
interface Alike {
  readonly key: string
  readonly message: string
  readonly column: number | undefined
  readonly isPhone: boolean
  readonly lines: ReadonlySet<number>
}

const alikeOf = (faults: readonly UploadFault[], taking: UploadMapping): readonly Alike[] =>
  [...Map.groupBy(faults, fault => `${fault.code} ${faultColumn(fault, taking) ?? ''}`)]
    .map(([key, group]) => {
      const [first] = group
      const column = first === undefined ? undefined : faultColumn(first, taking)
      return {
        key,
        message: first?.message ?? '',
        column,
        isPhone: column !== undefined && taking.targets[column] === 'phone',
        lines: new Set(group.map(({ line }) => line)),
      }
    })
    .toSorted((one, other) => other.lines.size - one.lines.size)

interface BarProps {
  readonly faults: readonly UploadFault[]
  readonly taking: UploadMapping
  /** More lines have faults than listed. */
  readonly hasMore: boolean
  onLeave(lines: ReadonlySet<number>): void
  onPrefix(lines: ReadonlySet<number>, column: number, prefix: string): void
}

const Prefix = ({ alike, onPrefix }: { readonly alike: Alike; onPrefix: BarProps['onPrefix'] }) => {
  const { t } = useTranslation('contact')
  const [prefix, setPrefix] = useState('')
  const { column, lines } = alike
  if (!alike.isPhone || column === undefined) return null
  return (
    <chakra.form
      display="inline-flex"
      gap="1.5"
      onSubmit={event => {
        event.preventDefault()
        if (/^\+?\d{1,6}$/u.test(prefix)) onPrefix(lines, column, prefix)
      }}
    >
      <Input
        size="xs"
        w="64px"
        inputMode="tel"
        maxLength={7}
        placeholder="12"
        aria-label={t('map.prefix')}
        value={prefix}
        onChange={event => setPrefix(event.target.value)}
      />
      <Button size="xs" type="submit" disabled={!/^\+?\d{1,6}$/u.test(prefix)}>
        {t('map.putbefore')}
      </Button>
    </chakra.form>
  )
}

/** Groups of equal faults, to correct or leave out together. */
const GroupedErrorsBar = ({ faults, taking, hasMore, onLeave, onPrefix }: BarProps) => {
  const { t } = useTranslation('contact')
  const refused = faults.filter(({ code }) => code !== REPEATED)
  if (refused.length === 0) return null
  return (
    <Box as="section" aria-label={t('map.alike')} px="4" py="3" borderTopWidth="1px" textStyle="dense">
      <Text textStyle="card">{t('map.alike')}</Text>
      <Box as="ul" listStyleType="none" display="grid" gap="2" mt="1.5">
        {alikeOf(refused, taking).map(alike => (
          <HStack as="li" key={alike.key} gap="2.5" flexWrap="wrap" rowGap="1">
            <b>{alike.lines.size}</b>
            <Text color="fg.muted" flex="1 1 180px">
              {alike.message}
            </Text>
            <Prefix alike={alike} onPrefix={onPrefix} />
            <Button size="xs" onClick={() => onLeave(alike.lines)}>
              {t('map.leaveout', { count: alike.lines.size })}
            </Button>
          </HStack>
        ))}
      </Box>
      {hasMore ? (
        <Text textStyle="secondary" color="fg.muted" mt="1.5">
          {t('map.firstfaults', { count: new Set(faults.map(({ line }) => line)).size })}
        </Text>
      ) : null}
    </Box>
  )
}

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
    const name = preview.columns[column]?.name ?? ''
    return target === '' ? name : fieldName(target, taking.header ? { [target]: name } : {})
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
