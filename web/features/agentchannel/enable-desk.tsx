import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Headset } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { listQuery } from '#web/entity/entity-query.ts'
import { botsQuery, readAll } from '#web/entity/read-all.ts'
import { notice } from '#web/notice/notice.ts'

const deskChannelsQuery = queryOptions({
  queryKey: ['agentchannel', 'list', { type: 'parley', all: true }],
  queryFn: ({ signal }) => readAll('agentchannel', { type: 'parley' }, signal),
})

interface NamedBot {
  readonly id: string
  readonly name: string
}

/** Bots that do not hand over to the desk. Empty for users who may not turn it on, and until the bots are read. */
const useBotsWithoutDesk = (): readonly NamedBot[] => {
  const { can } = useSession()
  const enabled = ['createagentchannel', 'readagentchannel', 'readbot'].every(can)
  const bots = useQuery({ ...botsQuery, enabled }).data
  const channels = useQuery({ ...deskChannelsQuery, enabled }).data
  if (bots === undefined || channels === undefined) return []
  const served = new Set(channels.items.flatMap(({ bot, enable }) => (enable === true ? [bot] : [])))
  return bots.items.flatMap(({ id, name }) => (served.has(id) ? [] : [{ id, name: String(name) }]))
}

/**
 * Turns the desk on for a bot: its agent channel, and the first queue with the caller as member. `onEnabled` runs after
 * that.
 */
const useEnableDesk = (onEnabled?: () => void) => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  const [busy, setBusy] = useState<string>()
  const [refused, setRefused] = useState('')
  const enable = async ({ id, name }: NamedBot) => {
    setBusy(id)
    setRefused('')
    try {
      await http.post('/desk/enable', { body: { bot: id } })
      for (const key of ['desk', 'deskqueue', 'agentchannel']) await client.invalidateQueries({ queryKey: [key] })
      notice.snack(t('enable.done', { name }), { tone: 'positive' })
      onEnabled?.()
    } catch (failure) {
      setRefused(failureOf(failure, t('failed')))
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, refused, enable: (bot: NamedBot) => void enable(bot) }
}

/** Why the desk was not turned on, such as the nodes to update first. */
const Refused = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <Box flexBasis="100%">
      <ErrorLine text={text} />
    </Box>
  )

/** Bots without the desk, each with the button that turns it on. Absent when there are none. */
export const BotsWithoutDesk = () => {
  const { t } = useTranslation('desk')
  const bots = useBotsWithoutDesk()
  const { busy, refused, enable } = useEnableDesk()
  if (bots.length === 0) return null
  return (
    <Stack as="section" aria-label={t('enable.without')} gap="1" px="3.5" py="2.5" textAlign="start">
      <Text as="h3" textStyle="label" color="fg.muted">
        {t('enable.without')}
      </Text>
      <Stack as="ul" listStyleType="none" gap="1" maxH="180px" overflowY="auto">
        {bots.map(bot => (
          <HStack as="li" key={bot.id} gap="2">
            <Text textStyle="dense" flex="1" minW="0" truncate title={bot.name}>
              {bot.name}
            </Text>
            <Button
              size="xs"
              minH={{ base: '11', md: '7' }}
              aria-label={t('enable.for', { name: bot.name })}
              loading={busy === bot.id}
              onClick={() => enable(bot)}
            >
              <Headset size={14} aria-hidden="true" />
              {t('enable.short')}
            </Button>
          </HStack>
        ))}
      </Stack>
      <Refused text={refused} />
    </Stack>
  )
}

interface DeskOffProps {
  readonly bot: string
  readonly onEnabled?: (() => void) | undefined
}

/** In the block that hands over, while its bot has no agent channel of any kind: the button that turns the desk on. */
export const NoAgentChannel = ({ bot, onEnabled }: DeskOffProps) => {
  const { can } = useSession()
  const channels = useQuery({
    ...listQuery('agentchannel', { bot, size: 1 }),
    enabled: bot !== '' && can('readagentchannel'),
  })
  return channels.data?.total === 0 ? <DeskOff bot={bot} onEnabled={onEnabled} /> : null
}

/** A bot's page of agent channels while the desk is off for the bot: the button that turns it on. */
export const DeskOff = ({ bot, onEnabled }: DeskOffProps) => {
  const { t } = useTranslation('desk')
  const off = useBotsWithoutDesk().find(({ id }) => id === bot)
  const { busy, refused, enable } = useEnableDesk(onEnabled)
  if (off === undefined) return null
  return (
    <HStack
      gap="3"
      px="4"
      py="3"
      mb="3"
      flexWrap="wrap"
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      as="section"
      aria-label={t('title')}
    >
      <chakra.span color="fg.muted" hideBelow="sm">
        <Headset size={17} aria-hidden="true" />
      </chakra.span>
      <Text textStyle="dense" flex="1 1 260px">
        {t('enable.offer', { name: off.name })}
      </Text>
      <Button minH={{ base: '11', md: '8' }} loading={busy !== undefined} onClick={() => enable(off)}>
        {t('enable.do')}
      </Button>
      <Refused text={refused} />
    </HStack>
  )
}

/** Page of a level without a queue: the purpose of the desk, and the bots for which it can be turned on. */
export const EnableDesk = () => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const mayEnable = can('createagentchannel')
  const bots = useBotsWithoutDesk()
  const { busy, refused, enable } = useEnableDesk()
  const [only] = bots
  return (
    <EmptyState icon={Headset} title={t('enable.title')} text={t(mayEnable ? 'enable.text' : 'enable.ask')}>
      {bots.length === 1 && only !== undefined ? (
        <Button variant="solid" loading={busy !== undefined} onClick={() => enable(only)}>
          <Headset size={15} aria-hidden="true" />
          {t('enable.for', { name: only.name })}
        </Button>
      ) : bots.length === 0 ? null : (
        <Stack borderWidth="1px" borderRadius="lg" bg="bg.surface" w="320px" maxW="100%">
          <BotsWithoutDesk />
        </Stack>
      )}
      <Refused text={refused} />
    </EmptyState>
  )
}
