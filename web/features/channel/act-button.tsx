import { Button, type ButtonProps } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Row } from '#web/entity/entity-query.ts'
import { type Act, actOf, type Health } from './health-query.ts'

interface Props extends ButtonProps {
  readonly row: Row
  readonly health: Health
  onTest(): void
}

const addressOf = (act: Act, { id, bot, type }: Row): string => {
  if (act === 'bot') return `/bot/${String(bot)}`
  if (act === 'log') return `/bot/settings/botlogs/${String(bot)}?service=${String(type)}:${id}`
  return `/channel/${id}?pid=${String(bot)}`
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
      <Link to={addressOf(act, row)}>{text}</Link>
    </Button>
  )
}
