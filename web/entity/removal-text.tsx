import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inSentence } from '#web/entity/in-sentence.ts'
import { useLabel } from './label.ts'
import { isCounted, type Removed, removalOf } from './removal-impact.ts'

interface Props extends Removed {
  /** Of the flow that is removed, where they are known. */
  readonly blocks?: number | undefined
}

/** Text of a removal: removed contents, with counts once loaded, and how to restore. */
export const RemovalText = ({ blocks, ...removed }: Props) => {
  const { entity } = removed
  const { t: shell } = useTranslation('shell')
  const { t, i18n, ready } = useTranslation('designer', { useSuspense: false })
  const label = useLabel()
  const { data } = useQuery({
    queryKey: [entity, 'removal', removed],
    queryFn: ({ signal }) => removalOf(removed, signal),
    enabled: isCounted(entity),
    staleTime: 0,
    gcTime: 0,
  })
  const goes = [...(blocks === undefined ? [] : [{ entity: 'block', count: blocks }]), ...(data?.goes ?? [])]
  const isWhole = entity === 'bot'
  if (!ready || (goes.length === 0 && (data?.leads ?? 0) === 0)) return shell(isWhole ? 'removebottext' : 'removetext')
  const counted = goes.map(({ entity, count }) => {
    const name = inSentence(count === 1 ? label.name(entity) : label.plural(entity))
    return t([`removal.count.${entity}`, 'removal.count.any'], { count, name })
  })
  const what = new Intl.ListFormat(i18n.language).format(counted)
  const leads = data?.leads ?? 0
  return [
    counted.length === 0 ? t('removal.alone') : t(isWhole ? 'removal.bot' : 'removal.with', { what }),
    ...(leads === 0 ? [] : [t('removal.leads', { count: leads })]),
    t('removal.back'),
  ].join(' ')
}
