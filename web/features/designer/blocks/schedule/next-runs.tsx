import { chakra } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { runAfter } from '#domain/flow/condition/working-hour.ts'
import { timeIn } from '#web/format/time.ts'
import { useForm } from '../../inspector/form-context.ts'
import { PanelSection } from '../panel/panel-section.tsx'

const MINUTE = 60_000

/** Now, in milliseconds since 1970, as it was at most a minute ago. */
export const useMinute = (): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}

const HOUR = 3_600_000

/** When what is scheduled would run, for conversations that come here now, in an hour and in a day. */
export const NextRuns = () => {
  const { t, i18n } = useTranslation('designer')
  const { node } = useForm()
  const now = useMinute()
  const { scheduleUnit, scheduleQuantity, dontExecuteIfInConversation } = node.properties
  const time = timeIn(i18n.language, {
    weekday: 'short',
    day: '2-digit',
    month: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const rows = [0, HOUR, 24 * HOUR].flatMap(later => {
    const run = runAfter(now + later, String(scheduleUnit), Number(scheduleQuantity))
    return run === undefined ? [] : [{ reached: now + later, run }]
  })
  return (
    <PanelSection title={t('schedule.next')}>
      <table className="pl-facts">
        <thead>
          <tr>
            <th scope="col">{t('schedule.reached')}</th>
            <th scope="col">{t('schedule.runs')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ reached, run }) => (
            <tr key={reached}>
              <td>{time.format(reached)}</td>
              <td>
                <b>{time.format(run)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <chakra.p fontSize="sm">{t('schedule.never')}</chakra.p> : null}
      {dontExecuteIfInConversation === true ? (
        <chakra.p fontSize="xs" color="fg.muted">
          {t('schedule.unlessTalking')}
        </chakra.p>
      ) : null}
    </PanelSection>
  )
}
