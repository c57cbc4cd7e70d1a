import { chakra, Flex, Switch, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { useInstance } from '#web/api/early-read.ts'
import { Problem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { notice } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'

type Choice = AnswerOf<'GET /user/mail'>
type Kind = Choice['kinds'][number]

interface RowProps {
  readonly item: Kind
  readonly disabled: boolean
  onChange(on: boolean): void
}

const KindRow = ({ item: { kind, on }, disabled, onChange }: RowProps) => {
  const { t } = useTranslation('mail')
  return (
    <chakra.li borderTopWidth="1px" _first={{ borderTopWidth: 0 }}>
      <Switch.Root
        display="flex"
        justifyContent="space-between"
        gap="4"
        px="4"
        py="3"
        checked={on}
        disabled={disabled}
        onCheckedChange={({ checked }) => onChange(checked)}
      >
        <Switch.HiddenInput />
        <Switch.Label flex="1" minW="0" fontWeight="normal">
          <Text fontWeight="semibold">{t(`choice.kind.${kind}`)}</Text>
          <Text textStyle="secondary" color="fg.muted">
            {t(`choice.kind.${kind}text`)}
          </Text>
        </Switch.Label>
        <Switch.Control>
          <Switch.Thumb />
        </Switch.Control>
      </Switch.Root>
    </chakra.li>
  )
}

/** /account/mail: kinds of mail that one gets. */
export const MailPage = () => {
  const { t } = useTranslation('mail')
  const { t: words } = useTranslation('shell')
  const { mail } = useInstance()
  const choice = useQuery({ queryKey: ['account', 'mail'], queryFn: () => http.get('/user/mail'), enabled: mail })
  const [busy, setBusy] = useState(false)
  if (!mail) return <ErrorMessage code="404" />
  const { email = null, kinds = [] } = choice.data ?? {}

  const choose = async (kind: Kind['kind'], on: boolean) => {
    const off = kinds.filter(one => (one.kind === kind ? !on : !one.on)).map(one => one.kind)
    setBusy(true)
    try {
      await http.post('/user/mail', { body: { off } })
      await choice.refetch()
      notice.snack(t('choice.saved'), { tone: 'positive' })
    } catch (failure) {
      notice.snack(failure instanceof Problem ? failure.message : words('error.noanswer'), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Page title={t('choice.title')} purpose={t('choice.text')} width={720}>
      {choice.isError && choice.data === undefined ? (
        <ErrorState error={choice.error} onRetry={() => void choice.refetch()} />
      ) : (
        <Flex direction="column" gap="3">
          {choice.data === undefined ? null : (
            <Text overflowWrap="anywhere">{email === null ? t('choice.none') : t('choice.to', { email })}</Text>
          )}
          <chakra.ul listStyleType="none" bg="bg.surface" borderWidth="1px" borderRadius="lg" overflow="hidden">
            {kinds.map(item => (
              <KindRow
                key={item.kind}
                item={item}
                disabled={busy || email === null}
                onChange={on => void choose(item.kind, on)}
              />
            ))}
          </chakra.ul>
        </Flex>
      )}
    </Page>
  )
}
