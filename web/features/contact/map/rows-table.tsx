import { Box, Button, chakra, Input, Text } from '@chakra-ui/react'
import { Check, CopyMinus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { REPEATED, type ReadCell, type ReadRow } from './read-rows.ts'

const HEAD = { textStyle: 'secondary', color: 'fg.muted', fontWeight: 'semibold', textAlign: 'start', h: '9' } as const

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
    <form
      onSubmit={event => {
        event.preventDefault()
        onMend(text)
      }}
    >
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
    <chakra.td px="2.5" py="1.5" textStyle="dense" maxW="240px" overflowWrap="anywhere" verticalAlign="middle">
      {isOpen ? (
        <MendInput {...props} />
      ) : fault === undefined ? (
        <>
          <chakra.span display="block">{kept}</chakra.span>
          {read === undefined ? null : (
            <chakra.del display="block" textStyle="secondary" color="fg.muted">
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
export const RowsTable = ({ rows, heads, onMend }: TableProps) => {
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
              <chakra.th key={head} scope="col" {...HEAD} px="2.5">
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
