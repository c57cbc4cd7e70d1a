import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { logAddress } from '#web/entity/address.ts'
import { useLogDetail, useLogWords } from '#web/entity/log-words.ts'
import { secondOf } from '#web/format/time.ts'

const RouterLink = chakra(Link)
const SHOWN = 8
const REFRESH_MS = 5_000

/** The newest lines of the log about a channel. */
export const LastEvents = ({ row }: { readonly row: RowOf<'channel'> }) => {
  const { t } = useTranslation('entity/channel')
  const { t: tl } = useTranslation('operation')
  const words = useLogWords()
  const detailOf = useLogDetail()
  const service = `${row.type}:${row.id}`
  const { data } = useQuery({
    queryKey: ['channel', 'events', row.id],
    queryFn: ({ signal }) =>
      http.get('/bot/{id}/logs', { params: { id: row.bot }, query: { size: SHOWN, service }, signal }),
    refetchInterval: REFRESH_MS,
  })
  const lines = [...(data?.items ?? [])].sort((one, other) => (one.time < other.time ? 1 : -1))
  return (
    <>
      <HStack mb="2">
        <Text as="h3" textStyle="card" flex="1">
          {t('health.events')}
        </Text>
        <RouterLink
          to={logAddress(row.bot, service)}
          textStyle="secondary"
          color="accent.fg"
          fontWeight="semibold"
          borderRadius="xs"
          focusVisibleRing="outside"
        >
          {tl('log.title')}
        </RouterLink>
      </HStack>
      {data !== undefined && lines.length === 0 ? (
        <Text textStyle="dense" color="fg.muted">
          {t('health.noevents')}
        </Text>
      ) : null}
      <Box as="ul" listStyleType="none">
        {lines.map(({ id, time, level, code, detail }) => (
          <HStack as="li" key={id} align="baseline" gap="2.5" py="1" fontSize="xs">
            <chakra.time dateTime={time} fontFamily="mono" color="fg.muted" flex="none">
              {secondOf(time)}
            </chakra.time>
            <Text as="span" minW="0" overflowWrap="anywhere" color={level === 'info' ? 'fg' : 'danger.fg'}>
              {words(code)}
              {detail === null ? null : <chakra.span color="fg.muted">{` · ${detailOf(code, detail)}`}</chakra.span>}
            </Text>
          </HStack>
        ))}
      </Box>
    </>
  )
}
