import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Segments } from '#web/components/segments.tsx'
import { useLabel } from '#web/entity/label.ts'
import type { ListPlace } from '#web/entity/list/use-list-place.ts'
import { useListState } from '#web/entity/list/use-list-state.ts'
import { MISSING, matrixQuery, useMatrixParams } from './matrix-query.ts'

/** All codes, or those without a text: in any language, or in one. */
export const MessageFilter = ({ place }: { readonly place: ListPlace }) => {
  const { t } = useTranslation('entity/localemessage')
  const label = useLabel()
  const params = useMatrixParams(useListState(place))
  const { data } = useQuery(matrixQuery(place, params))
  const [, setSearch] = useSearchParams()
  const show = (value: string) =>
    setSearch(
      before => {
        const next = new URLSearchParams(before)
        next.delete('page')
        if (value === '') next.delete(MISSING)
        else next.set(MISSING, value)
        return next
      },
      { replace: true },
    )
  const count = (name: string) => (data === undefined ? '' : ` ${data.missing[name] ?? 0}`)
  return (
    <Segments
      label={t('matrix.filter')}
      value={params.missing}
      onChange={show}
      options={[
        { value: '', label: t('matrix.all') },
        { value: 'any', label: t('matrix.missingonly') + count('any') },
        ...(data?.locales ?? []).map(locale => ({
          value: locale,
          label: t('matrix.missingin', { language: label.option('localemessage', 'locale', locale) }) + count(locale),
        })),
      ]}
    />
  )
}
