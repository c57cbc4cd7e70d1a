import { Check, CheckCheck, CircleAlert, CircleHelp, Clock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Turn } from './conversation-query.ts'

type Delivered = NonNullable<Turn['said'][number]['delivery']>

const ICON: Readonly<Record<string, typeof Check>> = {
  sending: Clock,
  waiting: Clock,
  queued: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  played: CheckCheck,
  failed: CircleAlert,
  unknown: CircleHelp,
}
/** Reasons that have words of their own; others are the provider's codes. */
const REASONS = new Set(['window', 'disabled', 'channel', 'forgotten', 'tries'])

/** Delivery status of a message at the provider. */
export const Delivery = ({ status, code }: Delivered) => {
  const { t } = useTranslation('tool')
  const Icon = ICON[status] ?? Clock
  const reason = REASONS.has(code) ? t(`conversation.delivery.reason.${code}`) : code
  return (
    <span className="cv-delivery" data-status={status}>
      <Icon size={12} aria-hidden />
      {t(`conversation.delivery.${status}`)}
      {status === 'failed' && code !== '' ? `: ${reason}` : null}
    </span>
  )
}
