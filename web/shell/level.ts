import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { notice } from '#web/notice/notice.ts'

export type Level = AnswerOf<'GET /selectfromoriginallevel'>[number]

/** The levels at and below one's own. */
export const levelsQuery = queryOptions({
  queryKey: ['hierarchy', 'levels'],
  queryFn: () => http.get('/selectfromoriginallevel'),
  staleTime: 60_000,
})

/** Names from the top to a level. */
export const pathOf = (levels: readonly Level[], id: string): readonly string[] => {
  const byId = new Map(levels.map(level => [level.id, level]))
  const names: string[] = []
  for (let at = byId.get(id); at !== undefined && names.length < levels.length; at = byId.get(at.parent ?? '')) {
    names.unshift(at.name)
  }
  return names
}

/** Works in another level from now on: everything shown, the user included, is read again, and the bots are shown. */
export const useChangeLevel = () => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (level: Level) => {
    try {
      await http.post('/changehierarchylevel/{level}', { params: { level: level.id } })
    } catch (failure) {
      notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' })
      return
    }
    await client.invalidateQueries()
    await navigate('/bot/search')
    notice.snack(t('level.changed', { name: level.name }))
  }
}

/** A change of the level that a page made before it reloaded. */
interface LevelEntry {
  readonly from: string
  readonly to: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly isAnnounced: boolean
}

const KEY = 'parley.levelentry'
/** A node that does not know of the change yet must not make the page reload again and again. */
const RELOAD_GUARD_MS = 10_000

const stored = (): LevelEntry | undefined => {
  const text = sessionStorage.getItem(KEY)
  return text === null ? undefined : (JSON.parse(text) as LevelEntry)
}

const store = (entry: LevelEntry) => sessionStorage.setItem(KEY, JSON.stringify(entry))

interface LevelChange {
  /** Resolves when the page stays in its level; pending while it reloads. */
  readonly settled: Promise<void>
  readonly at: number
}

/** Changes of the level that pages asked for, by the new level: a suspended page asks again. */
const changes = new Map<string, LevelChange>()

/** Changes the level of the session, and reloads the page, which announces it then. */
const enterLevel = async (client: QueryClient, { from, to }: Pick<LevelEntry, 'from' | 'to'>): Promise<void> => {
  const last = stored()
  if (last?.to === to && Date.now() - last.at < RELOAD_GUARD_MS) return
  const levels = await client.ensureQueryData(levelsQuery)
  if (levels.every(({ id }) => id !== to)) return
  await http.post('/changehierarchylevel/{level}', { params: { level: to } })
  store({ from, to, at: Date.now(), isAnnounced: false })
  location.reload()
  await new Promise(() => {})
}

const enterOnce = (client: QueryClient, from: string, to: string, noAnswer: string): LevelChange => {
  const known = changes.get(to)
  if (known !== undefined && Date.now() - known.at < RELOAD_GUARD_MS) return known
  const settled = enterLevel(client, { from, to }).catch((failure: unknown) => {
    notice.toast(failureOf(failure, noAnswer), { tone: 'danger' })
  })
  const change = { settled, at: Date.now() }
  changes.set(to, change)
  return change
}

/** Says after the reload which level one works in, with the way back. */
export const useLevelEntry = (): void => {
  const { t } = useTranslation('shell')
  const levels = useQuery(levelsQuery).data
  const change = useChangeLevel()
  useEffect(() => {
    const entry = stored()
    if (entry === undefined || entry.isAnnounced || levels === undefined) return
    // The page that is about to reload says nothing: its notice would be gone at once.
    if (entry.at >= performance.timeOrigin) return
    store({ ...entry, isAnnounced: true })
    const find = (wanted: string) => levels.find(({ id }) => id === wanted)
    const [here, before] = [find(entry.to), find(entry.from)]
    if (here === undefined) return
    notice.snack(
      t('level.changed', { name: here.name }),
      before ? { action: { label: t('level.back'), run: () => void change(before) } } : {},
    )
  }, [levels, change, t])
}

/**
 * Opening a thing of another level works in that level from then on: the server changes it, and the page is reloaded.
 * Suspends until then, so that nothing is read and shown twice.
 */
export const useLevelOf = (entity: string, row: { readonly hierarchylevel: string | null }): void => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const { hierarchylevel: here } = useSession().user
  const { hierarchylevel: level } = row
  // Decided when the page opens: a thing that is moved while it is open stays open.
  const [change] = useState(() =>
    entity === 'hierarchy' || level === null || level === here
      ? undefined
      : enterOnce(client, here, level, t('error.noanswer')),
  )
  if (change !== undefined) use(change.settled)
}
