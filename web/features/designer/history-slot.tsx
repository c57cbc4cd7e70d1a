import { Button } from '@chakra-ui/react'
import { type ComponentType, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { DesignerSkeleton } from '#web/components/designer-skeleton.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import { whenIdle } from '#web/idle.ts'
import { latePart, useLatePart } from '#web/lazy-module.ts'
import { useMode } from './mode/mode-context.ts'
import type { FlowAddress } from './session/room/flow-address.ts'

type Part = ComponentType<FlowAddress>

const modules = import.meta.glob<{ HistoryMode: Part }>('./history-mode.tsx')
const [load] = Object.values(modules)
export const hasHistory = load !== undefined

const historyMode = latePart(async () => (await load?.())?.HistoryMode)

/** After the flow is open and quiet. Milliseconds. */
const QUIET = 3000

/** Loads the history while there is a network, so that it can be opened without one. */
export const useHistoryAhead = (): void => {
  useEffect(() => {
    let callOff = () => {}
    const timer = setTimeout(() => {
      callOff = whenIdle(() => void historyMode.load().catch(() => undefined))
    }, QUIET)
    return () => {
      clearTimeout(timer)
      callOff()
    }
  }, [])
}

const historyHere = (): URL => {
  const url = new URL(location.href)
  url.searchParams.set(DESIGNER_QUERY.mode, DESIGNER_QUERY.history)
  return url
}

/** The history of the open flow; the flow stays open if its module fails to load. */
export const HistoryPart = (address: FlowAddress) => {
  const { t } = useTranslation('designer')
  const { send } = useMode()
  const { value: Part, error } = useLatePart(historyMode)
  if (Part !== undefined) return <Part {...address} />
  if (error === undefined) return <DesignerSkeleton />
  return (
    <div className="pl-unloaded">
      <ErrorState error={error} onRetry={() => location.assign(historyHere())} />
      <Button onClick={() => send({ type: 'EDIT' })}>{t('bar.toEdit')}</Button>
    </div>
  )
}
