import { Button } from '@chakra-ui/react'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { DesignerSkeleton } from '#web/components/designer-skeleton.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { latePart, useLatePart } from '#web/lazy-module.ts'
import { useMode } from './mode/mode-context.ts'

const testMode = latePart(async () => {
  const [{ TestMode }] = await Promise.all([import('./test-mode.tsx'), i18next.loadNamespaces('simulation')])
  return TestMode
})

/** The open dialog, talked to; where its program cannot be loaded the flow stays open. */
export const TestPart = () => {
  const { t } = useTranslation('designer')
  const { send } = useMode()
  const { value: Part, error } = useLatePart(testMode)
  if (Part !== undefined) return <Part />
  if (error === undefined) return <DesignerSkeleton />
  return (
    <div className="pl-unloaded">
      <ErrorState error={error} onRetry={() => location.reload()} />
      <Button onClick={() => send({ type: 'EDIT' })}>{t('bar.toEdit')}</Button>
    </div>
  )
}
