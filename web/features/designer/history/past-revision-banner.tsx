import { EyeOff, History } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { momentOf } from './edit-days.ts'
import { useTravelling } from './use-travel.ts'

/** Says over the canvas, in ink, that this is not the present. */
export const InkBand = ({ phone }: { readonly phone: boolean }) => {
  const { t } = useTranslation('history')
  const { at, head, other, view, from, to } = useTravelling()
  const earlier = from === at.revision ? at : other
  const later = to === at.revision ? at : other
  const values = {
    moment: momentOf(view === 'between' ? earlier.time : at.time),
    until: momentOf(view === 'between' ? later.time : head.time),
  }
  return (
    <div className="pt-band" role="status">
      <History size={17} strokeWidth={1.75} aria-hidden />
      <span className="pt-band-text">
        <span>
          <Trans t={t} i18nKey={`flow.band.${view}`} values={values} components={{ b: <b /> }} />
        </span>
        <small>{t('flow.place', { revision: at.revision, total: head.revision })}</small>
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
