import { Button } from '@chakra-ui/react'
import { Eye } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Hint } from '#web/components/hint.tsx'
import { BAR_SLOT } from '../session/bar-slot.ts'
import { RestoreFlow } from './restore-flow.tsx'
import { useTravelling } from './use-travel.ts'

interface LeaveProps {
  readonly onLeave: () => void
  readonly small?: boolean
}

export const BackToNow = ({ onLeave, small = false }: LeaveProps) => {
  const { t } = useTranslation('history')
  const { fresh } = useTravelling()
  return (
    <Hint text={t('flow.backHint')} keys="Esc">
      <Button size={small ? 'sm' : 'md'} onClick={onLeave}>
        {t('flow.back')}
        {fresh > 0 ? <span className="pt-new">{t('flow.new', { count: fresh })}</span> : null}
      </Button>
    </Hint>
  )
}

/** Ways out of the past, in the designer's bar. */
export const BarActions = ({ onLeave }: LeaveProps) => {
  const { t } = useTranslation('history')
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => setSlot(document.getElementById(BAR_SLOT)), [])
  if (slot === null) return null
  return createPortal(
    <>
      <span className="pt-readonly">
        <Eye size={16} strokeWidth={1.75} aria-hidden />
        {t('flow.readOnly')}
      </span>
      <BackToNow onLeave={onLeave} />
      <RestoreFlow />
    </>,
    slot,
  )
}
