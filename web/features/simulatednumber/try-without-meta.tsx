import { Button, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { botsQuery } from '#web/entity/read-all.ts'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { notice } from '#web/notice/notice.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { NUMBER_KEY, numbersQuery } from './number-query.ts'

/** Entities of which a simulated number brings one. */
const MADE = [NUMBER_KEY, 'metaapp', 'metaaccount', 'channel', 'template']

export const phoneAddress = (account: string): string => `/campaignmanagement/phone/${encodeURIComponent(account)}`

/** Makes a simulated number for a bot, and opens its phones. */
const useTry = () => {
  const { t } = useTranslation('simulatednumber')
  const client = useQueryClient()
  const goOn = useGuardedNavigate()
  const { isBusy, failure, attempt } = useAttempt(t('try.failed'))
  const begin = (bot: string) =>
    attempt(async () => {
      const { account } = await http.post('/simulatednumber', { body: { bot } })
      for (const key of MADE) await client.invalidateQueries({ queryKey: [key] })
      notice.snack(t('try.done'), { tone: 'positive' })
      await goOn(phoneAddress(account))
    })
  return { isBusy, failure, begin }
}

/** Explains simulated numbers, with the button that creates one for a bot. */
export const TryWithoutMeta = () => {
  const { t } = useTranslation('simulatednumber')
  const { can, user } = useSession()
  const mayTry = can('createmetaaccount') && user.seenby === undefined
  const numbers = useQuery({ ...numbersQuery, enabled: can('readmetaaccount') })
  const bots = useQuery({ ...botsQuery, enabled: mayTry })
  const items = bots.data?.items ?? []
  const [chosen, setChosen] = useState<string>()
  const { isBusy, failure, begin } = useTry()
  if (numbers.data?.on === false) return <EmptyState icon={FlaskConical} title={t('off')} text={t('offtext')} />
  const bot = chosen ?? items[0]?.id
  return (
    <EmptyState icon={FlaskConical} title={t('try.title')} text={t(mayTry ? 'try.text' : 'try.ask')}>
      {!mayTry ? null : bot === undefined ? (
        bots.data === undefined ? null : (
          <Text textStyle="dense">{t('try.nobot')}</Text>
        )
      ) : (
        <Stack gap="3" w="280px" textAlign="start">
          <LabelledSelect
            label={t('try.bot')}
            value={bot}
            options={items.map(({ id, name }) => [id, String(name)])}
            onChange={setChosen}
          />
          <Button variant="solid" loading={isBusy} onClick={() => void begin(bot)}>
            <FlaskConical size={15} aria-hidden="true" />
            {t('try.do')}
          </Button>
          <ErrorLine text={failure} />
        </Stack>
      )}
    </EmptyState>
  )
}
