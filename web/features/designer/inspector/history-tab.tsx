import { chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '#web/api/client.ts'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { useWords } from '../canvas/words.ts'
import { useDesigner } from '../live/designer.ts'
import type { Moment, Touched } from '../publish/use-unpublished.ts'
import { useForm } from './form-context.ts'

const NEWEST = 40
const KINDS = ['added', 'changed', 'removed'] as const

interface Deed {
  readonly moment: Moment
  readonly kind: (typeof KINDS)[number]
  readonly touched: Touched
}

const deedsOf = (moments: readonly Moment[], block: string): readonly Deed[] =>
  moments
    .flatMap(moment =>
      KINDS.flatMap(kind =>
        moment.summary[kind].filter(({ id }) => id === block).map(touched => ({ moment, kind, touched })),
      ),
    )
    .reverse()
    .slice(0, NEWEST)

/** Who changed this block, newest first. */
export const HistoryTab = () => {
  const { t, i18n } = useTranslation('designer')
  const words = useWords()
  const { node } = useForm()
  const { address } = useDesigner()
  const { data } = useQuery({
    queryKey: ['flowhistory', address.kind, address.id],
    queryFn: () =>
      api.get<{ items: readonly Moment[] }>(`/${address.kind}/${address.id}/flow/history`, { size: 100, fold: true }),
    staleTime: 0,
  })
  const deeds = deedsOf(data?.items ?? [], node.id)
  const time = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'short', timeStyle: 'short' })
  const fieldName = (field: string) => {
    if (field === 'pos' || field === 'position') return t('inspector.position')
    const last = field.split('.').at(-1) ?? field
    return words(`block:field.${node.type}.${field}`, {
      defaultValue: words(`block:field.${last}`, { defaultValue: last }),
    })
  }
  return (
    <chakra.ul listStyleType="none" m="0" className="pl-section">
      {data !== undefined && deeds.length === 0 ? (
        <chakra.li fontSize="sm" color="fg.muted">
          {t('inspector.noHistory')}
        </chakra.li>
      ) : null}
      {deeds.map(({ moment, kind, touched }) => (
        <chakra.li key={`${moment.revision} ${kind}`} display="flex" gap="2" py="2" fontSize="sm">
          <PersonAvatar person={moment.authors[0]} size={22} />
          <span>
            <b>{moment.authors.map(author => nameOf(author).split(' ')[0]).join(', ')}</b>{' '}
            {t(`inspector.did_${kind}`, { fields: (touched.fields ?? []).map(fieldName).join(', ') })}
            <chakra.small display="block" color="fg.subtle" fontSize="xs">
              <time dateTime={moment.time}>{time.format(new Date(moment.time))}</time> · r{moment.revision}
            </chakra.small>
          </span>
        </chakra.li>
      ))}
    </chakra.ul>
  )
}
