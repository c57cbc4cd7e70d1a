import { useQuery } from '@tanstack/react-query'
import { Languages } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Segments } from '#web/components/segments.tsx'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { type ListPlace, useListState } from '#web/entity/list/use-list-state.ts'
import { AddCode } from './add-code.tsx'
import { MISSING, matrixQuery, useMatrixParams } from './matrix-query.ts'
import { MessageMatrix } from './message-matrix.tsx'

/** All codes, or those without a text: in any language, or in one. */
const MessageFilter = ({ place }: { readonly place: ListPlace }) => {
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

/** The list of locale messages, which can also be shown with a column for each language. */
export const MessageListPage = () => {
  useEntityTexts(['localemessage', 'botspecificlocalemessage'])
  const { t } = useTranslation('entity/localemessage')
  return (
    <EntityListPage
      matrix={{
        label: t('matrix.view'),
        icon: Languages,
        // A bot's messages are a matrix within one bot.
        isOffered: ({ entity, fixed }) => entity.name === 'localemessage' || fixed.bot !== undefined,
        filter: place => <MessageFilter place={place} />,
        action: place => <AddCode place={place} />,
        content: (place, control) => <MessageMatrix place={place} control={control} />,
      }}
    />
  )
}
