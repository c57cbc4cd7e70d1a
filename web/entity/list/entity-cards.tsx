import { Box, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ListColumn } from '#schemas/entity.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { Cell, type Cells, PersonTime } from './cell.tsx'
import { useColumnLabel } from './list-field.ts'
import { RowActions } from './row-actions.tsx'
import { Tick } from './unlabelled-checkbox.tsx'
import type { ListPlace } from './use-list-state.ts'
import type { Selection } from './use-selection.ts'

const RouterLink = chakra(Link)
const MAX_FACTS = 3
/** Columns whose values say themselves what they are; a number or a yes alone says nothing. */
const SELF_EVIDENT: ReadonlySet<string> = new Set(['status', 'environment', 'person', 'tags'])

/** Columns that every card shows in places of their own. */
const IN_FRAME: ReadonlySet<string> = new Set(['description', 'modified_at'])

interface Props {
  readonly place: ListPlace
  readonly columns: readonly ListColumn[]
  /** The columns were chosen: each is shown. Else the first that have a value. */
  readonly isChosen: boolean
  readonly rows: readonly Row[]
  readonly removed: boolean
  /** Undefined where there is nothing to do with several. */
  readonly selection: Selection | undefined
  readonly cells: Cells | undefined
}

const CardLink = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <RouterLink
    to={to}
    textStyle="title"
    overflowWrap="anywhere"
    _after={{ content: '""', position: 'absolute', inset: 0, borderRadius: 'lg' }}
    outline="none"
    _focusVisible={{
      _after: {
        outlineWidth: '2px',
        outlineStyle: 'solid',
        outlineColor: 'accent.focusRing',
        outlineOffset: '2px',
      },
    }}
  >
    {children}
  </RouterLink>
)

interface FactsProps {
  readonly entity: Props['place']['entity']
  readonly row: Row
  readonly facts: Props['columns']
  readonly cells: Cells | undefined
}

const Facts = ({ entity, row, facts, cells }: FactsProps) => {
  const label = useColumnLabel(entity)
  return (
    <HStack mt="2" gap="3.5" flexWrap="wrap" rowGap="1" fontSize="sm">
      {facts.map(column => (
        <HStack key={column.field} maxW="100%" gap="1.5">
          {SELF_EVIDENT.has(column.as ?? '') &&
          !(column.as === 'tags' && entity.fields[column.field]?.kind === 'enumeration') ? null : (
            <Text as="span" textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
              {label(column.field)}
            </Text>
          )}
          {cells?.[column.field]?.(row) ?? <Cell entity={entity} column={column} row={row} />}
        </HStack>
      ))}
    </HStack>
  )
}

const Card = ({ place, columns, isChosen, row, removed, selection, cells }: Omit<Props, 'rows'> & { row: Row }) => {
  const { entity } = place
  const { t } = useTranslation('list')
  const rest = columns.filter(({ as, field }) => as !== 'name' && !IN_FRAME.has(field))
  const status = rest.find(column => column.as === 'status')
  // Custom cells also show empty values, such as the state of a campaign before its first run.
  const isFilled = ({ field }: ListColumn) => cells?.[field] !== undefined || (row[field] !== null && row[field] !== '')
  const filled = rest.filter(column => column !== status && isFilled(column))
  const facts = filled
    .filter(column => !(Array.isArray(row[column.field]) && (row[column.field] as unknown[]).length === 0))
    .slice(0, isChosen ? columns.length : MAX_FACTS)
  const name = useLabel().title(entity, row)
  return (
    <Box
      as="li"
      position="relative"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      {...(selection?.has(row.id) ? { borderColor: 'accent.border', bg: 'accent.subtle' } : {})}
      px="3.5"
      pt="3"
      _hover={{ borderColor: 'border.emphasized' }}
    >
      <HStack justify="space-between" align="flex-start" gap="3">
        {removed ? <Text textStyle="title">{name}</Text> : <CardLink to={place.formAt(row.id)}>{name}</CardLink>}
        {status ? <Cell entity={entity} column={status} row={row} /> : null}
      </HStack>
      {typeof row.description === 'string' ? (
        <Text textStyle="dense" color="fg.muted" lineClamp={2} mt="0.5">
          {row.description}
        </Text>
      ) : null}
      {facts.length > 0 ? <Facts entity={entity} row={row} facts={facts} cells={cells} /> : null}
      <HStack mt="2.5" mb="0.5" borderTopWidth="1px" fontSize="sm" minH="11" gap="1">
        {selection === undefined ? null : (
          <Box position="relative" zIndex="1" ms="-2">
            <Tick
              label={t('select.row', { name })}
              checked={selection.has(row.id)}
              onChange={checked => selection.set([row], checked)}
            />
          </Box>
        )}
        <Box flex="1" minW="0">
          <PersonTime id={row.modified_by} time={row.modified_at} words />
        </Box>
        <Box position="relative" zIndex="1">
          <RowActions place={place} row={row} removed={removed} compact={!removed} />
        </Box>
      </HStack>
    </Box>
  )
}

/** A list as cards: always on a phone, by choice elsewhere. */
export const EntityCards = ({ rows, ...shared }: Props) => (
  <SimpleGrid
    as="ul"
    listStyleType="none"
    gap={{ base: '2', md: '4' }}
    templateColumns="repeat(auto-fill, minmax(min(300px, 100%), 1fr))"
  >
    {rows.map(row => (
      <Card key={row.id} row={row} {...shared} />
    ))}
  </SimpleGrid>
)
