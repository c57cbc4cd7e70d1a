import { Button, HStack, Stack, Text } from '@chakra-ui/react'
import { KeyRound, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { useAppKey } from './app-key.ts'

/** Whether an app's API key is set. */
export const KeyChip = ({ app }: { readonly app: string }) => {
  const { t } = useTranslation('campaign')
  const isSet = useAppKey(app)
  if (isSet === undefined) return null
  return isSet ? (
    <Chip tone="positive">
      <KeyRound size={12} aria-hidden="true" />
      {t('key.set')}
    </Chip>
  ) : (
    <Chip tone="warning">
      <TriangleAlert size={12} aria-hidden="true" />
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
