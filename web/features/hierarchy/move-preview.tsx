import { Box, HStack, Stack, Text } from '@chakra-ui/react'
import { useQueries } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { subtreeOf, treeRows } from '#web/components/tree.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { type Level, pathOf } from '#web/shell/level.ts'

interface Props {
  readonly level: Level
  readonly levels: readonly Level[]
  /** Undefined until another place is chosen. */
  readonly parent: Level | undefined
}

/** Entities counted in the branch, if the caller may read them. */
const COUNTED = ['bot', 'user', 'usergroup'] as const
const MAX_NAMES = 6
const NONE_CLOSED: ReadonlySet<string> = new Set()

/** Lists only include rows within the session's level. */
const useCounts = ({ level, levels }: Props) => {
  const { can, user } = useSession()
  const isWithin = subtreeOf(levels, user.hierarchylevel).has(level.id)
  const counted = COUNTED.filter(entity => isWithin && can(`read${entity}`))
  const totals = useQueries({
    queries: counted.map(entity => ({
      queryKey: [entity, 'inlevel', level.id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        http.get('/{entity}', { params: { entity }, query: { hierarchylevel: level.id, size: 1 }, signal }),
      staleTime: 0,
    })),
  })
  return counted.map((entity, at) => ({ entity, count: totals[at]?.data?.total ?? 0 })).filter(each => each.count > 0)
}

/** The levels, bots and people that move, and the path before and after. */
export const MovePreview = (props: Props) => {
  const { level, levels, parent } = props
  const { t, i18n } = useTranslation('shell')
  const label = useLabel()
  const branch = subtreeOf(levels, level.id)
  const names = treeRows(
    levels.filter(({ id }) => branch.has(id)),
    NONE_CLOSED,
  ).map(({ item }) => item.name)
  const counts = useCounts(props).map(
    ({ entity, count }) => `${count} ${inSentence(count === 1 ? label.name(entity) : label.plural(entity))}`,
  )
  const list = new Intl.ListFormat(i18n.language)
  const left = names.length - MAX_NAMES
  const shown = [...names.slice(0, MAX_NAMES), ...(left > 0 ? [t('level.morelevels', { count: left })] : [])]
  return (
    <Stack role="group" aria-label={t('level.moves')} gap="1.5" mt="4" p="3" borderRadius="md" bg="bg.subtle">
      <Text textStyle="label">
        {t('level.moves')}: {list.format([t('level.levels', { count: names.length }), ...counts])}
      </Text>
      <Text textStyle="secondary" color="fg.muted">
        {shown.join(', ')}
      </Text>
      {parent === undefined ? null : (
        <Box textStyle="dense">
          <Text color="fg.muted" textDecoration="line-through">
            {pathOf(levels, level.id).join(' / ')}
          </Text>
          <HStack gap="1.5" fontWeight="medium">
            <ArrowDown size={13} aria-hidden="true" style={{ flex: 'none' }} />
            <Text>{[...pathOf(levels, parent.id), level.name].join(' / ')}</Text>
          </HStack>
        </Box>
      )}
    </Stack>
  )
}
