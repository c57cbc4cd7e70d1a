import { useVirtualizer } from '@tanstack/react-virtual'
import type { TFunction } from 'i18next'
import { ArrowUp, GitCompareArrows, RotateCcw, Users } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { Chip } from '#web/components/chip.tsx'
import { Hint } from '#web/components/hint.tsx'
import { type NamedPerson, nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { countsOf } from '#web/entity/flow/read-revisions.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { typeName } from '../model/block-appearance.ts'
import type { Translate } from '../model/label.ts'
import { mentionWords } from '../model/link-words.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { authorsOf, isOnlyMoves, type Session } from '../session/edit-history/edit-session.ts'
import { dayKey, isToday, minuteOf, namesOf, weekdayOf } from './edit-days.ts'
import type { Flag } from './flag.ts'
import { ChangeCounts } from './legend.tsx'
import { useTravelling } from './use-travel.ts'

/** Summary of a session in one line: its source, or its changed blocks. */
const sessionWords = (
  { source, summary }: Session,
  flow: FlowModel,
  t: TFunction<'history'>,
  words: Translate,
): string => {
  if (source?.kind === 'restore') return t('flow.source.restore', { revision: source.revision ?? '?' })
  if (source !== undefined) {
    const named = t(`flow.source.${source.kind}`, { defaultValue: '' })
    if (named !== '') return named
  }
  const touched = [...summary.changed, ...summary.added, ...summary.removed]
  const titles = new Set(
    touched.map(({ title, type }) => (isMachineTitle(title, type) ? typeName(type, words) : title.trim())),
  )
  if (titles.size > 0) return [...titles].slice(0, 4).join(', ')
  if (summary.script) return t('flow.script')
  const { added, changed, removed } = summary.links
  const links = [...changed, ...added, ...removed].slice(0, 2).map(link => mentionWords(flow, link, words))
  return links.length === 0 ? t('flow.links') : links.join(', ')
}

type Row =
  | { readonly kind: 'day'; readonly key: string; readonly time: string }
  | { readonly kind: 'session'; readonly key: string; readonly session: Session }
  | { readonly kind: 'flag'; readonly key: string; readonly flag: Flag }

const HEIGHT = { day: 31, session: 60, flag: 60 } as const
const timeOf = (row: Row) =>
  row.kind === 'day' ? row.time : row.kind === 'flag' ? row.flag.time : row.session.last.time

/** Newest first, with a heading for each day. */
const rowsOf = (sessions: readonly Session[], flags: readonly Flag[]): readonly Row[] => {
  const rows: Row[] = [
    ...sessions.map((session): Row => ({ kind: 'session', key: `s${session.first.revision}`, session })),
    ...flags.map((flag): Row => ({ kind: 'flag', key: `f${flag.kind}${flag.time}`, flag })),
  ].sort((a, b) => Date.parse(timeOf(b)) - Date.parse(timeOf(a)))
  return rows.flatMap((row, index): readonly Row[] => {
    const day = dayKey(Date.parse(timeOf(row)))
    const above = rows[index - 1]
    if (above !== undefined && dayKey(Date.parse(timeOf(above))) === day) return [row]
    return [{ kind: 'day', key: `d${day}`, time: timeOf(row) }, row]
  })
}

const Faces = ({ people }: { readonly people: readonly NamedPerson[] }) => (
  <span className="pt-faces">
    {people.slice(0, 3).map(person => (
      <PersonAvatar key={person.id} person={person} size={20} ring />
    ))}
  </span>
)

interface SessionRowProps {
  readonly session: Session
  readonly selected: boolean
  readonly live: boolean
}

const SessionRow = ({ session, selected, live }: SessionRowProps) => {
  const { t } = useTranslation('history')
  const words = useWords()
  const { canvas } = useDesigner()
  const { go, compareWith, at } = useTravelling()
  const { last, authors, summary, source } = session
  return (
    <div className="pt-session" data-on={selected || undefined}>
      <button type="button" aria-current={selected || undefined} onClick={() => go(last.revision)}>
        <span className="pt-line">
          <Faces people={authors} />
          <b>{namesOf(authors)}</b>
          <time dateTime={last.time}>{minuteOf(last.time)}</time>
        </span>
        <span className="pt-line pt-about">
          <span>{live ? t('flow.liveNow') : sessionWords(session, canvas.flow.get(), t, words)}</span>
          {source?.kind === 'restore' ? (
            <Chip tone="info" icon={RotateCcw}>
              {t('flow.flag.restored')}
            </Chip>
          ) : (
            <ChangeCounts counts={countsOf(summary)} />
          )}
        </span>
      </button>
      {last.revision === at.revision ? null : (
        <Hint text={t('flow.compareHere')} side="right">
          <button
            type="button"
            className="pt-compare"
            aria-label={t('flow.compareWith', { time: minuteOf(last.time), people: namesOf(authors) })}
            onClick={() => compareWith(last.revision)}
          >
            <GitCompareArrows size={15} aria-hidden />
          </button>
        </Hint>
      )}
    </div>
  )
}

const FlagRow = ({ flag }: { readonly flag: Flag }) => {
  const { t } = useTranslation('history')
  const { go } = useTravelling()
  const { revision } = flag
  return (
    <div className="pt-session">
      <button type="button" disabled={revision === undefined} onClick={() => revision !== undefined && go(revision)}>
        <span className="pt-line">
          {flag.actor === null ? null : <Faces people={[flag.actor]} />}
          <b>{flag.actor === null ? 'Parley' : namesOf([flag.actor])}</b>
          <time dateTime={flag.time}>{minuteOf(flag.time)}</time>
        </span>
        <span className="pt-line pt-about">
          <span>{t('flow.wentLive', { revision: revision ?? '?' })}</span>
          <Chip tone={flag.kind === 'published' ? 'positive' : 'neutral'} icon={ArrowUp}>
            {t(`flow.flag.${flag.kind}`)}
          </Chip>
        </span>
      </button>
    </div>
  )
}

interface PersonFilterProps {
  readonly person: string | undefined
  readonly onPerson: (person: string | undefined) => void
}

const PersonFilter = ({ person, onPerson }: PersonFilterProps) => {
  const { t } = useTranslation('history')
  const { moments } = useTravelling()
  const people = useMemo(() => authorsOf(moments), [moments])
  const chosen = people.find(({ id }) => id === person)
  const actions = [
    { id: '', label: t('flow.everyone'), checked: person === undefined, run: () => onPerson(undefined) },
    ...people.map(one => ({ id: one.id, label: nameOf(one), checked: one.id === person, run: () => onPerson(one.id) })),
  ]
  return (
    <ActionMenu label={t('flow.filter')} actions={actions}>
      <button type="button" className="pt-filter">
        <Users size={15} strokeWidth={1.75} aria-hidden />
        {chosen === undefined ? t('flow.everyone') : namesOf([chosen])}
      </button>
    </ActionMenu>
  )
}

/** Edits that only move blocks say little about behavior: they are listed on request. */
const useListed = (person: string | undefined, flags: readonly Flag[]) => {
  const { sessions, session } = useTravelling()
  const { moves } = useDesigner()
  const showsMoves = useStoreValue(moves)
  return useMemo(() => {
    const by = (people: readonly (NamedPerson | null)[]) =>
      person === undefined || people.some(one => one?.id === person)
    const theirs = sessions.filter(({ authors }) => by(authors))
    const listed = theirs.filter(one => showsMoves || one === session || !isOnlyMoves(one.summary))
    return {
      rows: rowsOf(
        listed,
        flags.filter(({ actor }) => by([actor])),
      ),
      moved: theirs.filter(({ summary }) => isOnlyMoves(summary)).length,
    }
  }, [sessions, session, flags, person, showsMoves])
}

const MovesSwitch = ({ count }: { readonly count: number }) => {
  const { t } = useTranslation('history')
  const { moves } = useDesigner()
  const isOn = useStoreValue(moves)
  if (count === 0) return null
  return (
    <label className="pt-moves">
      <input type="checkbox" role="switch" aria-checked={isOn} checked={isOn} onChange={() => moves.set(!isOn)} />
      {t('flow.moves', { count })}
    </label>
  )
}

interface SessionListProps extends PersonFilterProps {
  readonly flags: readonly Flag[]
}

/** All sessions by day, newest first; only those in sight are drawn. */
export const SessionList = ({ person, onPerson, flags }: SessionListProps) => {
  const { t } = useTranslation('history')
  const { session, moments, head, complete } = useTravelling()
  const scroll = useRef<HTMLDivElement>(null)
  const { rows, moved } = useListed(person, flags)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: index => HEIGHT[rows[index]?.kind ?? 'session'],
    getItemKey: index => rows[index]?.key ?? index,
    overscan: 8,
  })
  const current = rows.findIndex(row => row.kind === 'session' && row.session === session)
  const { scrollToIndex } = list
  useEffect(() => {
    if (current >= 0) scrollToIndex(current, { align: 'auto' })
  }, [current, scrollToIndex])
  const live = Date.now() - Date.parse(head.time) < 5 * 60_000
  return (
    <section className="pt-list" aria-label={t('flow.edits')}>
      <header>
        <h2>{t('flow.edits')}</h2>
        <small>{complete ? moments.length : `${moments.length}…`}</small>
        <PersonFilter person={person} onPerson={onPerson} />
      </header>
      <MovesSwitch count={moved} />
      <div ref={scroll} className="pt-scroll">
        <div style={{ height: list.getTotalSize(), position: 'relative' }}>
          {list.getVirtualItems().map(({ index, key, start, size }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <div key={key} className="pt-row" style={{ height: size, transform: `translateY(${start}px)` }}>
                {row.kind === 'day' ? (
                  <h3 className="pt-day">
                    {isToday(row.time) ? t('flow.today', { day: weekdayOf(row.time) }) : weekdayOf(row.time)}
                  </h3>
                ) : row.kind === 'flag' ? (
                  <FlagRow flag={row.flag} />
                ) : (
                  <SessionRow
                    session={row.session}
                    selected={row.session === session}
                    live={live && row.session.last === head}
                  />
                )}
              </div>
            )
          })}
        </div>
      </div>
    </section>
  )
}
