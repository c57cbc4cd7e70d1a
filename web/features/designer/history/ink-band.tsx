import { EyeOff, History } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { minuteOf, weekdayOf } from './day.ts'
import { useTravelling } from './use-travel.ts'

/** Says over the canvas, in ink, that this is not the present. */
export const InkBand = ({ phone }: { readonly phone: boolean }) => {
  const { t } = useTranslation('history')
  const { at, head, moments, index, other, view, from, to } = useTravelling()
  const moment = (time: string) => t('flow.moment', { day: weekdayOf(time), time: minuteOf(time) })
  const earlier = from === at.revision ? at : other
  const later = to === at.revision ? at : other
  const values = {
    moment: moment(view === 'between' ? earlier.time : at.time),
    until: moment(view === 'between' ? later.time : head.time),
  }
  return (
    <div className="pt-band" role="status">
      <History size={17} strokeWidth={1.75} aria-hidden />
      <span className="pt-band-text">
        <Trans t={t} i18nKey={`flow.band.${view}`} values={values} components={{ b: <b /> }} />
        <small>{t('flow.place', { revision: at.revision, index: index + 1, total: moments.length })}</small>
      </span>
      {phone ? null : (
        <span className="pt-band-note">
          <EyeOff size={15} strokeWidth={1.75} aria-hidden />
          {t('flow.alone')}
        </span>
      )}
    </div>
  )
}
