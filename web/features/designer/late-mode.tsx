import { Button } from '@chakra-ui/react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { DesignerSkeleton } from '#web/components/designer-skeleton.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { latePart, useLatePart } from '#web/lazy-module.ts'
import { useMode } from './mode/mode-context.ts'

/** A mode whose module loads on first use; if loading fails, the flow stays open. */
export const lateMode = (load: () => Promise<ComponentType>): ComponentType => {
  const late = latePart(load)
  return () => {
    const { t } = useTranslation('designer')
    const { send } = useMode()
    const { value: Part, error } = useLatePart(late)
    if (Part !== undefined) return <Part />
    if (error === undefined) return <DesignerSkeleton />
    return (
      <div className="pl-unloaded">
        <ErrorState error={error} onRetry={() => location.reload()} />
        <Button onClick={() => send({ type: 'EDIT' })}>{t('bar.toEdit')}</Button>
      </div>
    )
  }
}
