import { chakra } from '@chakra-ui/react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { nextOpenings } from '#domain/flow/condition/working-hour.ts'
import { holidays } from '#web/form/control/format-control.tsx'
import { timeIn } from '#web/format/time.ts'
import { useLazyModule } from '#web/lazy-module.ts'
import { useForm } from '../../inspector/form-context.ts'
import { stringOf } from '../../inspector/shared-value.ts'
import { PanelSection } from '../panel/panel-section.tsx'
import { useMinute } from '../schedule/next-runs.tsx'

const SHOWN = 3

/** When the block next leaves by its first output, with the holidays of its place left out. */
export const NextOpenings = () => {
  const { t, i18n } = useTranslation('designer')
  const { node } = useForm()
  const { value: calendar, error } = useLazyModule(holidays)
  const now = useMinute()
  const { properties } = node
  const timezone = stringOf(properties.timezone) || 'America/Sao_Paulo'
  const openings = useMemo(() => {
    const types = Array.isArray(properties.holidayTypes) ? properties.holidayTypes.map(String) : []
    const place = { country: String(properties.country ?? ''), state: String(properties.state ?? '') }
    try {
      return nextOpenings(properties, calendar?.createHolidayCheck(place, types) ?? (() => false), now, SHOWN)
    } catch {
      return undefined
    }
  }, [properties, calendar, now])
  if (openings === undefined) {
    return (
      <PanelSection title={t('openings.title')}>
        <chakra.p fontSize="sm" color="warning.fg">
          {t('openings.badZone', { zone: timezone })}
        </chakra.p>
      </PanelSection>
    )
  }
  const day = timeIn(i18n.language, {
    timeZone: timezone,
    weekday: 'short',
    day: '2-digit',
    month: '2-digit',
  })
  const hour = timeIn(i18n.language, { timeZone: timezone, hour: '2-digit', minute: '2-digit' })
  return (
    <PanelSection title={t('openings.title')}>
      <ol className="pl-openings">
        {openings.map(({ from, to }) => (
          <li key={from} data-now={from <= now || undefined}>
            <span>{day.format(from)}</span>
            <b>
              {hour.format(from)} – {hour.format(to)}
            </b>
            {from <= now ? <em>{t('openings.now')}</em> : null}
          </li>
        ))}
      </ol>
      {openings.length === 0 ? <chakra.p fontSize="sm">{t('openings.never')}</chakra.p> : null}
      {error === undefined ? null : (
        <chakra.p fontSize="xs" color="warning.fg">
          {t('openings.noCalendar')}
        </chakra.p>
      )}
    </PanelSection>
  )
}
