import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { EntityDeclaration, ListColumn } from '#schemas/entity.ts'
import { formAddress } from '#web/entity/address.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { Cell, type Cells, EntityTile } from './cell.tsx'
import { isSortable, useColumnLabel } from './list-field.ts'
import { nextSort } from './list-state.ts'
import { RowActions } from './row-actions.tsx'
import { Tick } from './unlabelled-checkbox.tsx'
import type { ListPlace, Selection } from './use-list-state.ts'

const HeadCell = chakra('th', {
  base: {
    h: '36px',
    px: '2',
    textAlign: 'start',
    textStyle: 'label',
    color: 'fg.muted',
    whiteSpace: 'nowrap',
    borderBottomWidth: '1px',
  },
})

interface TableHeadProps {
  readonly entity: EntityDeclaration
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly sort: string
  /** Undefined where there is nothing to do with several. */
  readonly selection: Selection | undefined
  onSort(sort: string): void
}

/** Headers: a click sorts. The first checkbox is that of the page. */
const TableHead = ({ entity, columns, rows, sort, selection, onSort }: TableHeadProps) => {
  const { t } = useTranslation('shell')
  const { t: tl } = useTranslation('list')
  const label = useColumnLabel(entity)
  const selected = selection === undefined ? 0 : rows.filter(({ id }) => selection.has(id)).length
  const direction = (field: string) => (sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none')
  return (
    <chakra.thead bg="bg">
      <tr>
        {selection === undefined ? null : (
          <HeadCell scope="col" w="44px" px="1.5">
            <Tick
              label={tl('select.page')}
              checked={selected === rows.length}
              isPartly={selected > 0 && selected < rows.length}
              onChange={isSelected => selection.set(rows, isSelected)}
            />
          </HeadCell>
        )}
        {columns.map(field =>
          isSortable(entity, field) ? (
            <HeadCell key={field} scope="col" aria-sort={direction(field)}>
              <chakra.button
                type="button"
                display="inline-flex"
                alignItems="center"
                gap="1"
                cursor="pointer"
                borderRadius="xs"
                focusVisibleRing="outside"
                _hover={{ color: 'fg' }}
                onClick={() => onSort(nextSort(sort, field))}
              >
                {label(field)}
                {direction(field) === 'ascending' ? <ArrowUp size={12} aria-hidden="true" /> : null}
                {direction(field) === 'descending' ? <ArrowDown size={12} aria-hidden="true" /> : null}
              </chakra.button>
            </HeadCell>
          ) : (
            <HeadCell key={field} scope="col">
              {label(field)}
            </HeadCell>
          ),
        )}
        <HeadCell scope="col" position="sticky" right="0" bg="bg">
          <chakra.span srOnly>{t('list.actions')}</chakra.span>
        </HeadCell>
      </tr>
    </chakra.thead>
  )
}

interface Props {
  readonly place: ListPlace
  readonly columns: readonly ListColumn[]
  readonly rows: readonly Row[]
  readonly sort: string
  readonly removed: boolean
  /** Undefined where there is nothing to do with several. */
  readonly selection: Selection | undefined
  readonly cells: Cells | undefined
  onSort(sort: string): void
}

const NameCell = ({ place, row, linked }: { place: ListPlace; row: Row; linked: boolean }) => {
  const { entity } = place
  const name = useLabel().title(entity, row)
  const description = typeof row.description === 'string' ? row.description : undefined
  return (
    <HStack gap="3" minW="0">
      <EntityTile icon={entity.icon} />
      <Box minW="0">
        {linked ? (
          <RouterLink
            to={place.formAt(row.id)}
            data-row-link=""
            fontSize="md"
            fontWeight="semibold"
            borderRadius="xs"
            focusVisibleRing="outside"
            lineClamp={1}
            _hover={{ textDecoration: 'underline', textUnderlineOffset: '3px' }}
          >
            {name}
          </RouterLink>
        ) : (
          <Text fontSize="md" fontWeight="semibold" lineClamp={1}>
            {name}
          </Text>
        )}
        {description ? (
          <Text textStyle="secondary" color="fg.muted" lineClamp={1}>
            {description}
          </Text>
        ) : null}
      </Box>
    </HStack>
  )
}

/** Moves between rows with the arrows; Enter opens, H opens the history. */
const onRowKey = (event: React.KeyboardEvent<HTMLElement>, openHistory: () => void) => {
  if (!(event.target instanceof HTMLElement) || !event.target.matches('[data-row-link]')) return
  const row = event.currentTarget
  const next =
    event.key === 'ArrowDown' ? row.nextElementSibling : event.key === 'ArrowUp' ? row.previousElementSibling : null
  if (next !== null) {
    event.preventDefault()
    next.querySelector<HTMLElement>('[data-row-link]')?.focus()
  } else if (event.key.toLowerCase() === 'h') {
    event.preventDefault()
    openHistory()
  }
}

const TableRow = ({
  place,
  columns,
  row,
  removed,
  selection,
  cells,
}: Omit<Props, 'rows' | 'sort' | 'onSort'> & { row: Row }) => {
  const { t } = useTranslation('list')
  const navigate = useNavigate()
  const isSelected = selection?.has(row.id) ?? false
  return (
    <chakra.tr
      cursor={removed ? 'default' : 'pointer'}
      transition="background 90ms"
      bg={isSelected ? 'accent.subtle' : 'bg.surface'}
      _hover={isSelected ? {} : { bg: 'bg.subtle' }}
      css={{
        '& .row-hover': { opacity: 0 },
        '@media (hover: none)': { '& .row-hover': { display: 'none' } },
        '&:hover .row-hover, &:focus-within .row-hover': { opacity: 1 },
        '&:not(:last-child) > td': { borderBottomWidth: '1px' },
      }}
      onKeyDown={event => onRowKey(event, () => void navigate(formAddress(place.formAt(row.id), { history: true })))}
      onClick={event => {
        const inside = (event.target as HTMLElement).closest('a, button, label, [popover], dialog')
        if (!removed && inside === null && getSelection()?.isCollapsed !== false) void navigate(place.formAt(row.id))
      }}
    >
      {selection === undefined ? null : (
        <chakra.td w="44px" px="1.5">
          <Tick
            label={t('select.row', { name: String(row[place.entity.title] ?? '') })}
            checked={isSelected}
            onChange={checked => selection.set([row], checked)}
          />
        </chakra.td>
      )}
      {columns.map(column => (
        <chakra.td
          key={column.field}
          h="60px"
          px="2"
          py="1.5"
          maxW="340px"
          {...(column.as === 'name' ? { minW: '200px' } : {})}
        >
          {column.as === 'name' ? (
            <NameCell place={place} row={row} linked={!removed} />
          ) : (
            (cells?.[column.field]?.(row) ?? <Cell entity={place.entity} column={column} row={row} />)
          )}
        </chakra.td>
      ))}
      <chakra.td h="60px" px="2" py="1.5" position="sticky" right="0" bg="inherit">
        <RowActions place={place} row={row} removed={removed} />
      </chakra.td>
    </chakra.tr>
  )
}

/** A list as a table. */
export const EntityTable = ({ rows, sort, onSort, ...shared }: Props) => (
  <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" overflowX="auto" tabIndex={0} focusVisibleRing="outside">
    <chakra.table w="100%" borderCollapse="separate" borderSpacing="0" fontSize="sm">
      <TableHead
        entity={shared.place.entity}
        columns={shared.columns.map(({ field }) => field)}
        rows={rows}
        sort={sort}
        selection={shared.selection}
        onSort={onSort}
      />
      <tbody>
        {rows.map(row => (
          <TableRow key={row.id} row={row} {...shared} />
        ))}
      </tbody>
    </chakra.table>
  </Box>
)
