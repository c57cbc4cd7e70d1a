import { Button, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channel } from '#schemas/entities/channel.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { readAll } from '#web/entity/read-all.ts'
import { notice } from '#web/notice/notice.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { phoneOf } from './app-query.ts'

const TYPE = 'whatsapp_meta'

/** Warns that a bot is named for a number that no channel answers at, and creates the channel from the account. */
export const MissingChannel = ({ account }: { readonly account: RowOf<'metaaccount'> }) => {
  const { t } = useTranslation('campaign')
  const { can, user } = useSession()
  const goOn = useGuardedNavigate()
  const command = useEntityCommand(channel)
  const [isBusy, setBusy] = useState(false)
  const app = useQuery(detailQuery('metaapp', account.metaapp))
  const bot = account.bot ?? app.data?.bot_assigned
  const number = account.phone_number_id
  const isNamed = typeof bot === 'string' && typeof number === 'string' && number !== '' && can('readchannel')
  const { data } = useQuery({
    queryKey: ['channel', 'list', 'ofnumber', number],
    queryFn: ({ signal }) => readAll('channel', { type: TYPE }, signal),
    enabled: isNamed,
  })
  if (!isNamed || data === undefined) return null
  const isAnswered = data.items.some(each => each.account_id === number || each.metaaccount === account.id)
  if (isAnswered) return null
  const create = async () => {
    setBusy(true)
    try {
      const { id } = await http.post('/{entity}', {
        params: { entity: 'channel' },
        body: { bot, type: TYPE, name: phoneOf(account), metaaccount: account.id, account_id: number },
      })
      await command.refresh()
      notice.snack(t('number.channelcreated'), { tone: 'positive' })
      void goOn(`/channel/${id}?pid=${bot}`)
    } catch (error) {
      command.failed(error)
      setBusy(false)
    }
  }
  return (
    <HStack
      role="status"
      colorPalette="warning"
      bg="colorPalette.subtle"
      borderWidth="1px"
      borderRadius="lg"
      mb="4"
      p="3"
      gap="3"
      rowGap="2"
      flexWrap="wrap"
      maxW="960px"
    >
      <TriangleAlert size={16} aria-hidden="true" style={{ flex: 'none' }} />
      <Text textStyle="dense" flex="1 1 240px" minW="0">
        {t('number.nochannel', { number: phoneOf(account) })}
      </Text>
      {can('createchannel') && user.seenby === undefined ? (
        <Button size="sm" loading={isBusy} onClick={() => void create()}>
          {t('number.createchannel')}
        </Button>
      ) : null}
    </HStack>
  )
}
