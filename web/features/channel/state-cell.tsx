import { Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '#schemas/row.ts'
import { Hint } from '#web/components/hint.tsx'
import { useEntityTexts } from '#web/entity/label.ts'
import { botHealthQuery, useCause } from './health-query.ts'
import { StateChip } from './state-chip.tsx'

/** State of a channel in a list; all channels of a bot are read by one call. */
export const StateCell = ({ row }: { readonly row: RowOf<'channel'> }) => {
  useEntityTexts(['channel'])
  const cause = useCause()
  const { data } = useQuery(botHealthQuery(row.bot))
  const health = data?.items.find(({ id }) => id === row.id)
  if (health === undefined)
    return (
      <Text as="span" color="fg.subtle">
        –
      </Text>
    )
  return health.code === '' ? (
    <StateChip health={health} />
  ) : (
    <Hint text={cause(health, row)}>
      <span>
        <StateChip health={health} />
      </span>
    </Hint>
  )
}
