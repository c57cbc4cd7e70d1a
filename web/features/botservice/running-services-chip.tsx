import { CircleCheck, Hourglass, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import type { Services } from './service-query.ts'

/** Number of running services out of those needed or present. */
export const RunningServicesChip = ({ services }: { readonly services: Services }) => {
  const { t } = useTranslation('operation')
  const { runningstatus, up, needed, items } = services
  if (runningstatus === 'stopped') return null
  const of = Math.max(needed, items.filter(({ state }) => state !== 'stopped').length)
  const tone = up >= of ? 'positive' : items.some(({ state }) => state === 'down') ? 'danger' : 'warning'
  const Icon = { positive: CircleCheck, danger: TriangleAlert, warning: Hourglass }[tone]
  return (
    <Chip tone={tone}>
      <Icon size={12} aria-hidden="true" />
      {t('up', { up, of })}
    </Chip>
  )
}
