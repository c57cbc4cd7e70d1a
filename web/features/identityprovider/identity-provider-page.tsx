import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { identityprovider } from '#schemas/entities/identityprovider.ts'
import { http, providerUrl } from '#web/api/http.ts'
import { ConnectionTestResult, useConnectionTest } from '#web/entity/action/connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useCopy } from '#web/notice/use-copy.ts'
import { MIDDLE, useMedia } from '#web/shell/use-media.ts'
import { AccountTestPanel, useAccountTest } from './account-test.tsx'

const NONE: ReadonlySet<string> = new Set()

/** An address that the administrator registers at the provider. */
const AddressLine = ({ label, address }: { readonly label: string; readonly address: string }) => {
  const { t } = useTranslation('entity/identityprovider')
  const copy = useCopy()
  return (
    <Box>
      <Text textStyle="dense" color="fg.muted">
        {label}
      </Text>
      <HStack gap="2">
        <Text fontFamily="mono" textStyle="dense" overflowWrap="anywhere" flex="1" minW="0">
          {address}
        </Text>
        <Button
          variant="outline"
          size="sm"
          flex="none"
          aria-label={`${t('action.test.copy')}: ${label}`}
          onClick={() => void copy(address)}
        >
          <Copy size={14} aria-hidden="true" />
          {t('action.test.copy')}
        </Button>
      </HStack>
    </Box>
  )
}

/** Addresses of this console that the provider must know. */
const Addresses = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('entity/identityprovider')
  // The console may be open at another address than PUBLIC_URL.
  const { data } = useQuery({ queryKey: ['auth', 'oidc', 'origin'], queryFn: () => http.get('/auth/oidc') })
  if (data === undefined) return null
  const addressOf = (part: 'callback' | 'logout') => data.origin + providerUrl(id, part)
  return (
    <Stack gap="3" mb="4" p="3" borderWidth="1px" borderRadius="lg" bg="bg.surface" maxW="960px">
      <AddressLine label={t('action.test.callback')} address={addressOf('callback')} />
      <AddressLine label={t('action.test.logout')} address={addressOf('logout')} />
    </Stack>
  )
}

/** An identity provider: its form, the addresses for its registration, and two tests of what is saved. */
export const IdentityProviderPage = () => {
  const { id = '' } = useParams()
  const isMiddle = useMedia(MIDDLE)
  const { answer, button } = useConnectionTest('identityprovider', () =>
    http.post('/identityprovider/{id}/test', { params: { id } }),
  )
  const { test, button: withAccount } = useAccountTest(id)
  const panel =
    test === undefined ? null : (
      <AccountTestPanel test={test} again={isMiddle ? null : withAccount} isUnder={isMiddle} />
    )
  return (
    <EntityDetail
      entity={identityprovider}
      id={id}
      listAt="/identityprovider/search"
      hidden={NONE}
      above={() => (
        <>
          {isMiddle ? panel : null}
          {isMiddle ? <Box mb="4">{withAccount}</Box> : null}
          <Addresses id={id} />
          {answer === undefined ? null : <ConnectionTestResult entity="identityprovider" answer={answer} />}
        </>
      )}
      aside={() => (isMiddle ? null : panel)}
      actions={() => (
        <>
          {isMiddle ? null : withAccount}
          {button}
        </>
      )}
    />
  )
}
