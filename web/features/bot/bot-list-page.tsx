import { HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Hint } from '#web/components/hint.tsx'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { type Cells, Dash } from '#web/entity/list/cell.tsx'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { countText, FigureLink } from '#web/features/insight/index.ts'

const REFETCH_INTERVAL_MS = 30_000
const MAX_AVATARS = 3

interface Props {
  readonly id: string
  /** Ids of all bots of the page, read in one call. */
  readonly page: readonly string[]
}

/** Open conversations and present editors of a bot. */
const LiveCell = ({ id, page }: Props) => {
  const { t } = useTranslation('insight')
  const { can } = useSession()
  const ids = page.join(',')
  const { data } = useQuery({
    queryKey: ['bot', 'live', ids],
    queryFn: ({ signal }) => http.get('/bot/live', { query: { ids }, signal }),
    placeholderData: before => before,
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  const live = data?.items.find(item => item.id === id)
  if (live === undefined) return <Dash />
  const { editing } = live
  const standings = (['talking', 'agents'] as const).filter(name => live[name] !== 0)
  if (standings.length === 0 && editing.length === 0) return <Dash />
  const list = (name: 'talking' | 'agents') =>
    can('readconversation') ? `/bot/conversation/${id}?standing=${name === 'talking' ? 'bot' : 'agent'}` : undefined
  return (
    <HStack gapX="2.5" gapY="0.5" flexWrap="wrap" position="relative" w="fit-content">
      {standings.map(name => {
        const shown = countText(live[name])
        return (
          <Text as="span" key={name} whiteSpace="nowrap" color="fg.muted">
            <FigureLink to={list(name)} label={t('open', { name: t(`live.${name}`), shown })}>
              <Text as="b" color="positive.fg">
                {shown}
              </Text>
            </FigureLink>{' '}
            {t(`live.cell.${name}`)}
          </Text>
        )
      })}
      {editing.length === 0 ? null : (
        <Hint text={t('live.cell.editors', { names: editing.map(({ name }) => name).join(', ') })}>
          <HStack gap="1.5" whiteSpace="nowrap" color="positive.fg">
            <HStack gap="0">
              {editing.slice(0, MAX_AVATARS).map(({ user, name }) => (
                <PersonAvatar key={user} person={{ id: user, username: name }} size={22} ring />
              ))}
            </HStack>
            {t('live.cell.editing')}
          </HStack>
        </Hint>
      )}
    </HStack>
  )
}

const cellsOf = (rows: readonly Row[]): Cells => {
  const page = rows.map(({ id }) => id)
  return { live: ({ id }) => <LiveCell id={id} page={page} /> }
}

/** All bots, each with its open conversations and present editors. */
export const BotListPage = () => <EntityListPage cells={cellsOf} />
