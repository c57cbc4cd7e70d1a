import { Button, chakra } from '@chakra-ui/react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { useWords } from '../canvas/words.ts'
import { useRecent } from '../history/use-recent.ts'
import { deedsOf } from '../people/deed.ts'
import { deedWords } from '../people/deed-words.ts'
import { useForm } from './form-context.ts'

/** Who changed this block, newest first. */
export const HistoryTab = () => {
  const { t, i18n } = useTranslation('designer')
  const words = useWords()
  const { node } = useForm()
  const { moments, hasOlder, busy, older } = useRecent(node.id)
  const deeds = useMemo(() => deedsOf(moments ?? [], node.id), [moments, node.id])
  const unseen = moments !== undefined && deeds.length === 0 && hasOlder && !busy
  useEffect(() => {
    if (unseen) older()
  }, [unseen, older])
  const time = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'short', timeStyle: 'short' })
  return (
    <div className="pl-section">
      {moments !== undefined && deeds.length === 0 && !hasOlder ? (
        <chakra.p fontSize="sm" color="fg.muted">
          {t('inspector.noHistory')}
        </chakra.p>
      ) : null}
      <chakra.ul listStyleType="none" m="0">
        {deeds.map(deed => {
          const { session, kind } = deed
          const { who, did } = deedWords(deed, node.type, t, words)
          return (
            <chakra.li key={`${session.first.revision} ${kind}`} display="flex" gap="2" py="2" fontSize="sm">
              <PersonAvatar person={session.authors[0]} size={22} />
              <span>
                <b>{who}</b> {did}
                <chakra.small display="block" color="fg.subtle" fontSize="xs">
                  <time dateTime={session.last.time}>{time.format(new Date(session.last.time))}</time> · r
                  {session.last.revision}
                </chakra.small>
              </span>
            </chakra.li>
          )
        })}
      </chakra.ul>
      {hasOlder ? (
        <Button size="xs" variant="ghost" mt="1" loading={busy || deeds.length === 0} onClick={older}>
          {t('inspector.older')}
        </Button>
      ) : null}
    </div>
  )
}
