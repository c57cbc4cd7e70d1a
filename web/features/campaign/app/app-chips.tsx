import { Button, HStack, Stack, Text } from '@chakra-ui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { KeyRound, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { readAll } from '#web/entity/read-all.ts'
import { hasKey } from './app-query.ts'

/** Of each app that has accounts, by its id, whether an account of it has an API key. The key itself stays on the server. */
const appKeysQuery = queryOptions({
  queryKey: ['metaaccount', 'list', 'keys'],
  queryFn: async ({ signal }): Promise<Readonly<Record<string, boolean>>> => {
    const keys: Record<string, boolean> = {}
    for (const account of (await readAll('metaaccount', {}, signal)).items) {
      const app = account.metaapp
      keys[app] = keys[app] === true || hasKey(account)
    }
    return keys
  },
  staleTime: 60_000,
})

/** Whether the API key of an app is set; undefined until that is known, and to who may not read accounts. */
const useAppKey = (app: string): boolean | undefined => {
  const { can } = useSession()
  const keys = useQuery({ ...appKeysQuery, enabled: can('readmetaaccount') }).data
  return keys === undefined ? undefined : keys[app] === true
}

/** Whether an app's API key is set. */
export const KeyChip = ({ app }: { readonly app: string }) => {
  const { t } = useTranslation('campaign')
  const isSet = useAppKey(app)
  if (isSet === undefined) return null
  return isSet ? (
    <Chip tone="positive" icon={KeyRound}>
      {t('key.set')}
    </Chip>
  ) : (
    <Chip tone="warning" icon={TriangleAlert}>
      {t('key.missing')}
    </Chip>
  )
}

interface NoticeProps {
  readonly app: string
  /** The account whose form takes the key; none: a new account. */
  readonly account: string | undefined
}

/** Says that nothing can be sent without a key, and leads to where it is set. */
export const KeyNotice = ({ app, account }: NoticeProps) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  if (useAppKey(app) !== false) return null
  const may = can(account === undefined ? 'createmetaaccount' : 'updatemetaaccount')
  return (
    <HStack
      role="alert"
      gap="3"
      align="start"
      mb="4"
      p="4"
      borderWidth="1px"
      borderRadius="lg"
      bg="warning.subtle"
      borderColor="border.warning"
      flexWrap="wrap"
    >
      <TriangleAlert size={18} aria-hidden="true" color="var(--chakra-colors-warning-fg)" />
      <Stack gap="0.5" flex="1 1 240px">
        <Text textStyle="card">{t('key.notset')}</Text>
        <Text textStyle="dense" color="fg.muted">
          {t(account === undefined ? 'key.noaccount' : 'key.how')}
        </Text>
      </Stack>
      {may ? (
        <Button asChild size="sm">
          <Link to={account === undefined ? `/metaaccount?metaapp=${app}` : `/metaaccount/${account}`}>
            {t(account === undefined ? 'app.addaccount' : 'key.open')}
          </Link>
        </Button>
      ) : null}
    </HStack>
  )
}

interface Props {
  readonly app: RowOf<'metaapp'>
  readonly accounts: readonly RowOf<'metaaccount'>[] | undefined
}

/** Says that an app has a bot and no number at which it could answer. */
export const IncompleteChip = ({ app, accounts }: Props) => {
  const { t } = useTranslation('campaign')
  const hasNumber = accounts?.some(({ phone_number_id: number }) => Boolean(number))
  if (app.bot_assigned === null || hasNumber !== false) return null
  return (
    <Chip tone="warning" whiteSpace="normal" h="auto" py="0.5" icon={TriangleAlert}>
      {t('app.incomplete')}
    </Chip>
  )
}
