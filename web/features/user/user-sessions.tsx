import { Box, Button, chakra, Text } from '@chakra-ui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BodyOf } from '#schemas/api/routes.ts'
import { Problem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { SessionItem } from '#web/features/account/index.ts'
import { notice } from '#web/notice/notice.ts'
import { levelsQuery } from '#web/shell/level.ts'

const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['user', 'sessions', id],
    queryFn: () => http.get('/user/{id}/sessions', { params: { id } }),
  })

/** Sign-ins of a person, which those with the right can end. */
export const UserSessions = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const isAllowed = can('endsessionsuser')
  const sessions = useQuery({ ...sessionsQuery(id), enabled: isAllowed })
  const levels = useQuery(levelsQuery)
  const [busy, setBusy] = useState(false)
  if (!isAllowed || sessions.data === undefined) return null
  const { items } = sessions.data
  const others = items.filter(({ current }) => !current)

  const end = async (body: BodyOf<'POST /user/{id}/endsessions'>, done: string) => {
    setBusy(true)
    try {
      await http.post('/user/{id}/endsessions', { params: { id }, body })
      await sessions.refetch()
      notice.snack(done, { tone: 'positive' })
    } catch (failure) {
      notice.snack(failure instanceof Problem ? failure.message : t('error.noanswer'), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Box mt="4" mb="6" maxW="960px">
      <Card
        title={t('sessions.of')}
        beside={
          others.length > 1 ? (
            <Button disabled={busy} onClick={() => void end({ all: true }, t('sessions.allended'))}>
              {t('sessions.all')}
            </Button>
          ) : null
        }
      >
        {items.length === 0 ? (
          <Text px="4" py="3" textStyle="secondary" color="fg.muted">
            {t('sessions.none')}
          </Text>
        ) : (
          <chakra.ul listStyleType="none">
            {items.map(item => (
              <SessionItem
                key={item.id}
                item={item}
                level={levels.data?.find(level => level.id === item.hierarchylevel)?.name}
                busy={busy}
                onEnd={() => void end({ ids: [item.id] }, t('sessions.ended'))}
              />
            ))}
          </chakra.ul>
        )}
      </Card>
    </Box>
  )
}
