import { Box, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { Link } from 'react-router'
import type { Row } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { Cell, PersonTime } from './cell.tsx'
import { RowActions } from './row-actions.tsx'
import type { ListPlace } from './use-list-place.ts'

const RouterLink = chakra(Link)
const FACTS = 3
/** Columns whose values say themselves what they are; a number or a yes alone says nothing. */
const SELF_EVIDENT: ReadonlySet<string> = new Set(['status', 'environment', 'person', 'tags'])

interface Props {
  readonly place: ListPlace
  readonly rows: readonly Row[]
  readonly removed: boolean
}

const Card = ({ place, row, removed }: Omit<Props, 'rows'> & { row: Row }) => {
  const { entity } = place
  const label = useLabel()
  const rest = entity.list.columns.filter(column => column.as !== 'name' && column.field !== 'description')
  const status = rest.find(column => column.as === 'status')
  const filled = rest.filter(column => column !== status && row[column.field] !== null && row[column.field] !== '')
  const facts = filled
    .filter(column => !(Array.isArray(row[column.field]) && (row[column.field] as unknown[]).length === 0))
    .slice(0, FACTS)
  const name = String(row[entity.title] ?? '—')
  return (
    <Box
      as="li"
      position="relative"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      px="3.5"
      pt="3"
      _hover={{ borderColor: 'border.emphasized' }}
    >
      <HStack justify="space-between" align="flex-start" gap="3">
        {removed ? (
          <Text textStyle="title">{name}</Text>
        ) : (
          <RouterLink
            to={place.formAt(row.id)}
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
            {name}
          </RouterLink>
        )}
        {status ? <Cell entity={entity} column={status} row={row} /> : null}
      </HStack>
      {typeof row.description === 'string' ? (
        <Text textStyle="dense" color="fg.muted" lineClamp={2} mt="0.5">
          {row.description}
        </Text>
      ) : null}
      {facts.length > 0 ? (
        <HStack mt="2" gap="3.5" flexWrap="wrap" rowGap="1" fontSize="sm">
          {facts.map(column => (
            <HStack key={column.field} maxW="100%" gap="1.5">
              {SELF_EVIDENT.has(column.as ?? '') ? null : (
                <Text as="span" textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
                  {label.field(entity.name, column.field)}
                </Text>
              )}
              <Cell entity={entity} column={column} row={row} />
            </HStack>
          ))}
        </HStack>
      ) : null}
      <HStack mt="2.5" mb="0.5" borderTopWidth="1px" justify="space-between" fontSize="sm" minH="11">
        <PersonTime id={row.modified_by} time={row.modified_at} words />
        <Box position="relative" zIndex="1">
          <RowActions place={place} row={row} removed={removed} compact={!removed} />
        </Box>
      </HStack>
    </Box>
  )
}

/** A list as cards: always on a phone, by choice elsewhere. */
export const EntityCards = ({ place, rows, removed }: Props) => (
  <SimpleGrid
    as="ul"
    listStyleType="none"
    gap={{ base: '2', md: '4' }}
    templateColumns="repeat(auto-fill, minmax(min(300px, 100%), 1fr))"
  >
    {rows.map(row => (
      <Card key={row.id} place={place} row={row} removed={removed} />
    ))}
  </SimpleGrid>
)
