import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { nameOf } from '#web/components/person-avatar.tsx'
import { agoOf, momentOf } from '#web/format/time.ts'
import { readersQuery } from './conversation-query.ts'

/** People shown; the audit has the rest. */
const MAX_SHOWN = 10

/** Log of reads and exports of the person's messages, newest first. */
export const Readers = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('tool')
  const readers = useQuery(readersQuery(id))
  const items = readers.data?.items ?? []
  if (readers.data === undefined) return null
  return (
    <section className="cv-facts">
      <h3>{t('conversation.readers.title')}</h3>
      {items.length === 0 ? <p>{t('conversation.readers.none')}</p> : null}
      <dl>
        {items.slice(0, MAX_SHOWN).map(({ user, action, conversation, time, origin }) => (
          <div key={`${time} ${user?.id} ${conversation}`}>
            <dt>{nameOf(user)}</dt>
            <dd title={[momentOf(time), origin?.address].filter(Boolean).join(' · ')}>
              {t(`conversation.readers.${action}`)} · {agoOf(time)}
              {conversation === id ? null : ` · ${t('conversation.readers.other')}`}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
