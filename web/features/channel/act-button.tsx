import { Button, type ButtonProps } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { channelType } from '#schemas/channel-type.ts'
import type { RowOf } from '#schemas/row.ts'
import { logAddress } from '#web/entity/address.ts'
import { FIELD } from '#web/page/use-field-focus.ts'
import { type Act, actOf, type Health } from './health-query.ts'

interface Props extends ButtonProps {
  readonly row: RowOf<'channel'>
  readonly health: Health
  onTest(): void
}

/** The field to change, if the act names one. */
const fieldOf = (act: Act, { type }: RowOf<'channel'>, { detail }: Health): string | undefined =>
  act === 'replace' ? channelType(type)?.token : act === 'fill' ? detail : undefined

const addressOf = (act: Act, row: RowOf<'channel'>, health: Health): string => {
  const { id, bot, type, metaaccount: account } = row
  if (act === 'replace' && account !== null) return `/metaaccount/${account}`
  if (act === 'account' && health.account !== null) return `/metaaccount/${health.account}`
  if (act === 'bot') return `/bot/${bot}`
  if (act === 'log') return logAddress(bot, `${type}:${id}`)
  const field = fieldOf(act, row, health)
  return `/channel/${id}?pid=${bot}${field === undefined ? '' : `&${FIELD}=${field}`}`
}

/** The one act that helps against the cause of a state. */
export const ActButton = ({ row, health, onTest, ...props }: Props) => {
  const { t } = useTranslation('entity/channel')
  const act = actOf(health)
  if (act === undefined) return null
  const text = t(`health.act.${act}`)
  return act === 'test' ? (
    <Button {...props} onClick={onTest}>
      {text}
    </Button>
  ) : (
    <Button asChild {...props}>
      <Link to={addressOf(act, row, health)}>{text}</Link>
    </Button>
  )
}
