import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { Chip } from '#web/components/chip.tsx'

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
    <Chip tone="warning" whiteSpace="normal" h="auto" py="0.5">
      <TriangleAlert size={12} aria-hidden="true" />
      {t('app.incomplete')}
    </Chip>
  )
}
