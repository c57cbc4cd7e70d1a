import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { createColumnHelper, flexRender, tableFeatures, useTable } from '@tanstack/react-table'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { EntityDeclaration, ListColumn } from '#schemas/entity.ts'
import { formAddress } from '#web/entity/address.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { Cell, EntityTile, PersonTime } from './cell.tsx'
import { nextSort } from './list-state.ts'
import { RowActions } from './row-actions.tsx'
import type { ListPlace } from './use-list-place.ts'

const RouterLink = chakra(Link)
const FEATURES = tableFeatures({})
const helper = createColumnHelper<typeof FEATURES, Row>()

interface Props {
  readonly place: ListPlace
  readonly rows: readonly Row[]
  readonly sort: string
  readonly removed: boolean
  onSort(sort: string): void
}

export const NameCell = ({ place, row, linked }: { place: ListPlace; row: Row; linked: boolean }) => {
  const { entity } = place
  const name = String(row[entity.title] ?? '—')
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

const sortable = (entity: EntityDeclaration, column: ListColumn) => {
  const kind = entity.fields[column.field]?.kind
  return kind !== undefined && kind !== 'references' && kind !== 'strings' && kind !== 'json'
}

const useColumns = (place: ListPlace, removed: boolean) => {
  const label = useLabel()
  const { t } = useTranslation('shell')
  return useMemo(() => {
    const { entity } = place
    const declared = entity.list.columns.filter(column => !(column.field === 'description' && column.as !== 'name'))
    return [
      ...declared.map(column =>
        helper.display({
          id: column.field,
          header: () => label.field(entity.name, column.field),
          cell: ({ row }) =>
            column.as === 'name' ? (
              <NameCell place={place} row={row.original} linked={!removed} />
            ) : (
              <Cell entity={entity} column={column} row={row.original} />
            ),
          meta: { column, sort: sortable(entity, column) ? column.field : undefined },
        }),
      ),
      helper.display({
        id: 'modified_at',
        header: () => t('list.lastchange'),
        cell: ({ row }) => <PersonTime id={row.original.modified_by} time={row.original.modified_at} />,
        meta: { sort: 'modified_at' },
      }),
      helper.display({
        id: 'actions',
        header: () => <chakra.span srOnly>{t('list.actions')}</chakra.span>,
        cell: ({ row }) => <RowActions place={place} row={row.original} removed={removed} />,
        meta: {},
      }),
    ]
  }, [place, removed, label, t])
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

interface ColumnMeta {
  readonly column?: ListColumn
  readonly sort?: string | undefined
}

/** A list as a table. */
export const EntityTable = ({ place, rows, sort, removed, onSort }: Props) => {
  const navigate = useNavigate()
  const columns = useColumns(place, removed)
  const table = useTable({ features: FEATURES, data: rows as Row[], columns, getRowId: row => row.id })
  const direction = (field: string) => (sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none')
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" overflowX="auto" tabIndex={0} focusVisibleRing="outside">
      <chakra.table w="100%" borderCollapse="separate" borderSpacing="0" fontSize="sm">
        <chakra.thead bg="bg">
          {table.getHeaderGroups().map(group => (
            <tr key={group.id}>
              {group.headers.map(header => {
                const { sort: by } = (header.column.columnDef.meta ?? {}) as ColumnMeta
                return (
                  <chakra.th
                    key={header.id}
                    scope="col"
                    h="36px"
                    px="3"
                    textAlign="start"
                    textStyle="label"
                    color="fg.muted"
                    whiteSpace="nowrap"
                    borderBottomWidth="1px"
                    aria-sort={by === undefined ? undefined : direction(by)}
                  >
                    {by === undefined ? (
                      flexRender(header.column.columnDef.header, header.getContext())
                    ) : (
                      <chakra.button
                        type="button"
                        display="inline-flex"
                        alignItems="center"
                        gap="1"
                        cursor="pointer"
                        borderRadius="xs"
                        focusVisibleRing="outside"
                        _hover={{ color: 'fg' }}
                        onClick={() => onSort(nextSort(sort, by))}
                      >
                        {flexRender(header.column.columnDef.header, header.getContext())}
                        {direction(by) === 'ascending' ? <ArrowUp size={12} aria-hidden="true" /> : null}
                        {direction(by) === 'descending' ? <ArrowDown size={12} aria-hidden="true" /> : null}
                      </chakra.button>
                    )}
                  </chakra.th>
                )
              })}
            </tr>
          ))}
        </chakra.thead>
        <tbody>
          {table.getRowModel().rows.map(row => (
            <chakra.tr
              key={row.id}
              cursor={removed ? 'default' : 'pointer'}
              transition="background 90ms"
              _hover={{ bg: 'bg.subtle' }}
              css={{
                '& .row-hover': { opacity: 0 },
                '&:hover .row-hover, &:focus-within .row-hover': { opacity: 1 },
                '&:not(:last-child) > td': { borderBottomWidth: '1px' },
              }}
              onKeyDown={event =>
                onRowKey(event, () => void navigate(formAddress(place.formAt(row.id), { history: true })))
              }
              onClick={event => {
                const inside = (event.target as HTMLElement).closest('a, button, [popover], dialog')
                if (!removed && inside === null && getSelection()?.isCollapsed !== false)
                  void navigate(place.formAt(row.id))
              }}
            >
              {row.getAllCells().map(cell => (
                <chakra.td key={cell.id} h="60px" px="3" py="1.5" maxW="340px">
                  {flexRender(cell.column.columnDef.cell, cell.getContext())}
                </chakra.td>
              ))}
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
    </Box>
  )
}
