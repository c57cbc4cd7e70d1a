import { Box, HStack, Text } from '@chakra-ui/react'
import { Fragment, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Segments } from '#web/components/segments.tsx'
import { ChangeLine } from '#web/entity/history/history-entry.tsx'
import { agoOf } from '#web/format/time.ts'
import type { HomeChange } from './home-aside.tsx'

const FLOWS = new Set(['flow', 'dialog', 'handler'])
const PEOPLE = new Set(['user', 'usergroup', 'role', 'hierarchy'])
const KINDS = ['all', 'flows', 'settings', 'people'] as const
type Kind = (typeof KINDS)[number]

const isOf = (kind: Kind, { entity }: HomeChange) =>
  kind === 'all' ||
  (kind === 'flows'
    ? FLOWS.has(entity)
    : kind === 'people'
      ? PEOPLE.has(entity)
      : !FLOWS.has(entity) && !PEOPLE.has(entity))

/** Followed by a user's id: when they saw this page last and the visit before, ms since 1970. */
const VISIT = 'parley.visit.'
/** Shorter absences are looks at other pages. */
const ABSENCE_MS = 30 * 60_000

/** Time of the last visit to this page with this browser, ms since 1970; 0 at the first one. */
export const useLastVisit = (user: string): number => {
  const [last, setLast] = useState(0)
  useEffect(() => {
    const enter = () => {
      const [seen = 0, before = 0] = (localStorage.getItem(VISIT + user) ?? '').split(' ').map(Number)
      const present = Date.now() - seen > ABSENCE_MS ? seen : before
      setLast(present)
      localStorage.setItem(VISIT + user, `${Date.now()} ${present}`)
    }
    const leave = () => {
      const [, before = 0] = (localStorage.getItem(VISIT + user) ?? '').split(' ').map(Number)
      localStorage.setItem(VISIT + user, `${Date.now()} ${before}`)
    }
    const turn = () => (document.visibilityState === 'visible' ? enter() : leave())
    enter()
    document.addEventListener('visibilitychange', turn)
    return () => {
      document.removeEventListener('visibilitychange', turn)
      leave()
    }
  }, [user])
  return last
}

/** Counts the listed changes of others since the last visit, in words. */
export const useNews = (changes: readonly HomeChange[], user: string, last: number) => {
  const { t } = useTranslation('history')
  const isNew = ({ time }: HomeChange) => Date.parse(time) > last
  const authors = changes.flatMap(change => (isNew(change) && change.user !== null ? change.user.id : []))
  const others = authors.filter(author => author !== user)
  if (last === 0 || others.length === 0) return undefined
  const [count, people] = [others.length, new Set(others).size]
  return t('since.sentence', {
    changes: t(changes.every(isNew) ? 'since.least' : 'since.changes', { count }),
    people: t('since.people', { count: people }),
    time: agoOf(new Date(last).toISOString()),
  })
}

interface RecentChangesProps {
  readonly changes: readonly HomeChange[]
  /** Of the last visit, ms since 1970; 0: there was none. */
  readonly last: number
}

/** Latest changes in this level and below, by kind, with a line above those before the last visit. */
export const RecentChanges = ({ changes, last }: RecentChangesProps) => {
  const { t } = useTranslation(['shell', 'history'])
  const [kind, setKind] = useState<Kind>('all')
  const shown = changes.filter(change => isOf(kind, change))
  const seen = shown.findIndex(({ time }) => Date.parse(time) <= last)
  return (
    <Box as="section" bg="bg.surface" borderWidth="1px" borderRadius="lg" aria-label={t('home.changes')}>
      <HStack px="4" py="2.5" justify="space-between" flexWrap="wrap">
        <Text as="h2" textStyle="card">
          {t('home.changes')}
        </Text>
        <Segments<Kind>
          label={t('home.changes')}
          value={kind}
          onChange={setKind}
          options={KINDS.map(value => ({ value, label: t(`home.kind.${value}`) }))}
        />
      </HStack>
      {shown.length === 0 ? (
        <EmptyState small title={t('list.nothing')} />
      ) : (
        <Box as="ul" listStyleType="none">
          {shown.map((change, at) => (
            <Fragment key={`${change.entity}${change.entityid}${change.revision}${change.time}`}>
              {at > 0 && at === seen ? (
                <Text as="li" px="4" py="1" borderTopWidth="1px" bg="bg.subtle" textStyle="secondary" color="fg.muted">
                  {t('history:since.seen')}
                </Text>
              ) : null}
              <ChangeLine change={change} />
            </Fragment>
          ))}
        </Box>
      )}
    </Box>
  )
}
