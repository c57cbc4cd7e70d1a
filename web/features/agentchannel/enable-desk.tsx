import { Button, Stack } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Headset } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { readAll } from '#web/entity/read-all.ts'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { notice } from '#web/notice/notice.ts'

/** Turns the desk on for a bot: its agent channel, and the first queue with the caller as member. */
const useEnableDesk = () => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const enable = async (bot: string) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await http.post('/desk/enable', { body: { bot } })
      for (const key of ['desk', 'deskqueue', 'agentchannel']) await client.invalidateQueries({ queryKey: [key] })
      notice.snack(t('enable.done'), { tone: 'positive' })
    } catch (error) {
      setFailure(failureOf(error, t('failed')))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, enable }
}

/** Page of a level without a queue: the purpose of the desk, and the button that turns it on. */
export const EnableDesk = () => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const mayEnable = can('createagentchannel')
  const bots = useQuery({
    queryKey: ['bot', 'list', { all: true }],
    queryFn: ({ signal }) => readAll('bot', { sort: 'name' }, signal),
    enabled: mayEnable,
  })
  const items = bots.data?.items ?? []
  const [chosen, setChosen] = useState<string>()
  const { isBusy, failure, enable } = useEnableDesk()
  const bot = chosen ?? items[0]?.id
  return (
    <EmptyState icon={Headset} title={t('enable.title')} text={t(mayEnable ? 'enable.text' : 'enable.ask')}>
      {!mayEnable || bot === undefined ? null : (
        <Stack gap="3" w="280px" textAlign="start">
          <LabelledSelect
            label={t('enable.bot')}
            value={bot}
            options={items.map(({ id, name }) => [id, String(name)])}
            onChange={setChosen}
          />
          <Button variant="solid" loading={isBusy} onClick={() => void enable(bot)}>
            <Headset size={15} aria-hidden="true" />
            {t('enable.do')}
          </Button>
          <ErrorLine text={failure} />
        </Stack>
      )}
    </EmptyState>
  )
}
