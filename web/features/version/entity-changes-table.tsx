import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import { useLabel } from '#web/entity/label.ts'
import { LOOKS, type PreviewedThing } from './version-query.ts'

/** Rows of one kind to show until the list is expanded. */
const MAX_ROWS = 8

const ThingLine = ({ thing }: { readonly thing: PreviewedThing }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const look = LOOKS[thing.state]
  const fields = thing.changes.map(({ path }) => label.field(thing.entity, path))
  return (
    <chakra.tr css={{ '& > td': { borderTopWidth: '1px' } }}>
      <chakra.td px="4" py="2" fontSize="sm" fontWeight="semibold" overflowWrap="anywhere">
        {thing.name === '' ? label.name(thing.entity) : thing.name}
        {thing.within.length > 0 ? (
          <Text as="span" color="fg.muted" fontWeight="normal" ms="2">
            {thing.within.join(' › ')}
          </Text>
        ) : null}
      </chakra.td>
      <chakra.td px="3" py="2">
        <Chip tone={look.tone}>
          {look.sign} {t(`version.thing.${thing.state}`)}
        </Chip>
      </chakra.td>
      <chakra.td px="3" py="2" fontSize="sm" color="fg.muted" overflowWrap="anywhere">
        {fields.join(', ')}
      </chakra.td>
    </chakra.tr>
  )
}

const Kind = ({ entity, things }: { readonly entity: string; readonly things: readonly PreviewedThing[] }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? things : things.slice(0, MAX_ROWS)
  return (
    <tbody>
      <tr>
        <chakra.th
          scope="rowgroup"
          colSpan={3}
          px="4"
          h="34px"
          textAlign="start"
          textStyle="label"
          bg="bg"
          borderTopWidth="1px"
        >
          <HStack gap="2">
            <span>{label.plural(entity)}</span>
            <Text as="span" color="fg.muted" fontWeight="normal">
              {things.length}
            </Text>
          </HStack>
        </chakra.th>
      </tr>
      {shown.map((thing, index) => (
        <ThingLine key={`${thing.id ?? index}-${thing.state}`} thing={thing} />
      ))}
      {shown.length < things.length ? (
        <tr>
          <chakra.td colSpan={3} px="4" py="2" borderTopWidth="1px">
            <Button size="sm" variant="ghost" onClick={() => setWhole(true)}>
              {t('version.showall', { count: things.length })}
            </Button>
          </chakra.td>
        </tr>
      ) : null}
    </tbody>
  )
}

/** Everything but the drawings that comes, changes or goes, by kind. */
export const EntityChangesTable = ({ things }: { readonly things: readonly PreviewedThing[] }) => {
  const { t } = useTranslation('shell')
  if (things.length === 0) return null
  return (
    <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" overflowX="auto" mb="4">
      <chakra.table w="100%" borderCollapse="separate" borderSpacing="0">
        <chakra.thead bg="bg">
          <tr>
            {['thing', 'happens', 'fields'].map(key => (
              <chakra.th
                key={key}
                scope="col"
                h="34px"
                px={key === 'thing' ? '4' : '3'}
                textAlign="start"
                textStyle="label"
                color="fg.muted"
              >
                {t(`version.column.${key}`)}
              </chakra.th>
            ))}
          </tr>
        </chakra.thead>
        {[...Map.groupBy(things, ({ entity }) => entity)].map(([entity, group]) => (
          <Kind key={entity} entity={entity} things={group} />
        ))}
      </chakra.table>
    </Box>
  )
}
