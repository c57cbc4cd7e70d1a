import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { KeepTest } from '#web/features/conversationtest/index.ts'
import { useNames } from '../session/names-context.ts'
import type { SimulationRun } from './use-simulation.ts'

/** Keeps what was said as a test, between two turns. */
export const KeepRun = ({ run: { view, busy } }: { readonly run: SimulationRun }) => {
  const { t } = useTranslation('simulation')
  const { can } = useSession()
  const { bot, flow } = useNames()
  const [isOpen, setOpen] = useState(false)
  if (bot === undefined || !can('createconversationtest')) return null
  const isBetween = view !== undefined && !busy && !['paused', 'calling'].includes(view.status)
  return (
    <>
      <button
        type="button"
        className="pl-tool"
        title={t('control.keep')}
        disabled={!isBetween || view.said.length === 0}
        onClick={() => setOpen(true)}
      >
        <FlaskConical size={16} aria-hidden />
        <span>{t('control.keep')}</span>
      </button>
      {isOpen && view !== undefined ? (
        <KeepTest
          bot={bot.id}
          source="simulation"
          name={flow?.name ?? ''}
          fileOf={name => http.post('/simulation/{id}/test', { params: { id: view.simulation }, body: { name } })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
