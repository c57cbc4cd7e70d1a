import { Button, chakra } from '@chakra-ui/react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { BlockChange, BlockMention } from '#schemas/flow/summary.ts'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { useWords } from '../canvas/words.ts'
import type { Moment } from '../history/moment.ts'
import { type Session, sessionsOf } from '../history/session.ts'
import { useRecent } from '../history/use-recent.ts'
import { useForm } from './form-context.ts'

const KINDS = ['added', 'changed', 'removed'] as const

interface Deed {
  readonly session: Session
  readonly kind: (typeof KINDS)[number]
  readonly fields: readonly string[]
}

const touches = ({ summary }: Moment, block: string) => KINDS.some(kind => summary[kind].some(({ id }) => id === block))

/** What was done to a block, newest first; what the same moment of work did to it is one deed. */
const deedsOf = (moments: readonly Moment[], block: string): readonly Deed[] =>
  sessionsOf(moments.filter(moment => touches(moment, block)))
    .flatMap(session =>
      KINDS.flatMap(kind =>
        session.summary[kind].flatMap((touched: BlockMention | BlockChange) =>
          touched.id === block ? [{ session, kind, fields: 'fields' in touched ? touched.fields : [] }] : [],
        ),
      ),
    )
    .reverse()

/** Who changed this block, newest first. */
export const HistoryTab = () => {
  const { t, i18n } = useTranslation('designer')
  const words = useWords()
  const { node } = useForm()
  const { moments, hasOlder, busy, older } = useRecent()
  const deeds = useMemo(() => deedsOf(moments ?? [], node.id), [moments, node.id])
  const unseen = moments !== undefined && deeds.length === 0 && hasOlder && !busy
  useEffect(() => {
    if (unseen) older()
  }, [unseen, older])
  const time = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'short', timeStyle: 'short' })
  const fieldName = (field: string) => {
    if (field === 'pos' || field === 'position') return t('inspector.position')
    const last = field.split('.').at(-1) ?? field
    return words(`block:field.${node.type}.${field}`, {
      defaultValue: words(`block:field.${last}`, { defaultValue: last }),
    })
  }
  return (
    <div className="pl-section">
      {moments !== undefined && deeds.length === 0 && !hasOlder ? (
        <chakra.p fontSize="sm" color="fg.muted">
          {t('inspector.noHistory')}
        </chakra.p>
      ) : null}
      <chakra.ul listStyleType="none" m="0">
        {deeds.map(({ session, kind, fields }) => (
          <chakra.li key={`${session.first.revision} ${kind}`} display="flex" gap="2" py="2" fontSize="sm">
            <PersonAvatar person={session.authors[0]} size={22} />
            <span>
              <b>{session.authors.map(author => nameOf(author).split(' ')[0]).join(', ')}</b>{' '}
              {t(`inspector.did_${kind}`, { fields: [...new Set(fields.map(fieldName))].join(', ') })}
              <chakra.small display="block" color="fg.subtle" fontSize="xs">
                <time dateTime={session.last.time}>{time.format(new Date(session.last.time))}</time> · r
                {session.last.revision}
              </chakra.small>
            </span>
          </chakra.li>
        ))}
      </chakra.ul>
      {hasOlder ? (
        <Button size="xs" variant="ghost" mt="1" loading={busy || deeds.length === 0} onClick={older}>
          {t('inspector.older')}
        </Button>
      ) : null}
    </div>
  )
}
