import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import type { Row } from '#web/entity/entity-query.ts'

interface Props {
  readonly app: Row
  readonly accounts: readonly Row[] | undefined
}

/** Says that an app has a bot and no number at which it could answer. */
export const IncompleteChip = ({ app, accounts }: Props) => {
  const { t } = useTranslation('campaign')
  const hasNumber = accounts?.some(({ phone_number_id: number }) => typeof number === 'string' && number !== '')
  if (typeof app.bot_assigned !== 'string' || hasNumber !== false) return null
  return (
    <Chip tone="warning" whiteSpace="normal" h="auto" py="0.5">
      <TriangleAlert size={12} aria-hidden="true" />
      {t('app.incomplete')}
    </Chip>
  )
}
