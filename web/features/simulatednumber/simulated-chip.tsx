import { FlaskConical } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import { useIsSimulated } from './number-query.ts'

/** Marks what belongs to a simulated number. */
export const SimulatedChip = () => {
  const { t } = useTranslation('simulatednumber')
  return (
    <Chip tone="warning" title={t('chiptext')} icon={FlaskConical}>
      {t('chip')}
    </Chip>
  )
}

/** The mark of what is sent from an account, if that is simulated. */
export const AccountMark = ({ account }: { readonly account: string | null | undefined }) =>
  useIsSimulated(account) ? <SimulatedChip /> : null
