import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import type { MenuAction } from '#web/components/action-menu.tsx'
import { Card } from '#web/components/card.tsx'
import type { Reason } from './campaign-query.ts'
import { countText } from './delivery.ts'

interface Props {
  readonly row: RowOf<'campaign'>
  readonly reasons: readonly Reason[]
  /** Sends what failed again, where that can be done now. */
  readonly retry: MenuAction | undefined
  /** Sends messages with an unknown outcome again, where that can be done now. */
  readonly resend: MenuAction | undefined
  onShow(reason: Reason): void
}

/** Action for a reason: one, or none. */
const Act = ({ row, reason, retry, resend, onShow }: Omit<Props, 'reasons'> & { readonly reason: Reason }) => {
  const { t } = useTranslation('campaign')
  const { act } = reason
  if (act === 'retry' && retry !== undefined) return <Button onClick={retry.run}>{retry.label}</Button>
  if (act === 'tomorrow' && retry !== undefined) return <Button onClick={retry.run}>{t('report.act.tomorrow')}</Button>
  if (act === 'resend' && resend !== undefined) return <Button onClick={resend.run}>{resend.label}</Button>
  if (act === 'contact') return <Button onClick={() => onShow(reason)}>{t('report.act.contact')}</Button>
  if (act === 'template' || act === 'account') {
    const to =
      act === 'template'
        ? `/template/${row.template}`
        : row.channel
          ? `/channel/${row.channel}`
          : `/metaaccount/${row.metaaccount}`
    return (
      <Button asChild>
        <Link to={to}>{t(`report.act.${act}`)}</Link>
      </Button>
    )
  }
  return (
    <Text textStyle="dense" color="fg.muted">
      {t(act === 'retry' || act === 'resend' || act === 'tomorrow' ? 'report.act.later' : 'report.act.none')}
    </Text>
  )
}

/** Why messages failed or were not sent, the commonest first, each with the one thing that can be done about it. */
export const FailuresCard = ({ row, reasons, retry, resend, onShow }: Props) => {
  const { t } = useTranslation('campaign')
  const total = reasons.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card
      title={t('report.failures')}
      beside={
        <Text textStyle="dense" color="fg.muted" fontVariantNumeric="tabular-nums">
          {countText(total)}
        </Text>
      }
    >
      {reasons.length === 0 ? (
        <Text px="4" pb="4" textStyle="dense" color="fg.muted">
          {t('report.nofailures')}
        </Text>
      ) : null}
      {reasons.map(reason => (
        <HStack
          key={`${reason.status} ${reason.code}`}
          px="4"
          py="2.5"
          gap="4"
          borderTopWidth="1px"
          flexWrap="wrap"
          rowGap="1"
        >
          <Text minW="9" textAlign="end" textStyle="card" fontVariantNumeric="tabular-nums">
            {countText(reason.count)}
          </Text>
          <Box flex="1 1 160px" minW="0" textStyle="dense">
            <Text>
              {reason.text}{' '}
              {/^\d+$/u.test(reason.code) ? (
                <Text as="span" textStyle="code" color="fg.muted">
                  {reason.code}
                </Text>
              ) : null}
            </Text>
            <Text textStyle="secondary" color="fg.muted">
              {t(`report.hint.${reason.act}`, { count: reason.count, shown: countText(reason.count) })}
            </Text>
          </Box>
          <Act row={row} reason={reason} retry={retry} resend={resend} onShow={onShow} />
        </HStack>
      ))}
    </Card>
  )
}
