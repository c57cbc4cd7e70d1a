import { useTranslation } from 'react-i18next'
import { ValueDiff } from './value-diff.tsx'

/** The code of a handler, which belongs to no block. */
export const ScriptChange = ({ before, after }: { readonly before: string; readonly after: string }) => {
  const { t } = useTranslation('history')
  return (
    <section className="pt-detail" aria-label={t('flow.script')}>
      <div className="pt-field-row">
        <div className="pt-field-head">
          <b>{t('flow.script')}</b>
        </div>
        <ValueDiff value={{ before, after, short: false, code: true }} />
      </div>
    </section>
  )
}
