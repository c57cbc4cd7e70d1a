import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
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

/** Changes the level of the session, and reloads the page, which announces it then. */
const enterLevel = async ({ from, to }: Pick<LevelEntry, 'from' | 'to'>): Promise<void> => {
  const last = stored()
  if (last?.to === to && Date.now() - last.at < RELOAD_GUARD_MS) return
  await http.post('/changehierarchylevel/{level}', { params: { level: to } })
  store({ from, to, at: Date.now(), isAnnounced: false })
  location.reload()
}

/** Says after the reload which level one works in, with the way back. */
export const useLevelEntry = (): void => {
  const { t } = useTranslation('shell')
  const levels = useQuery(levelsQuery).data
  const change = useChangeLevel()
  useEffect(() => {
    const entry = stored()
    if (entry === undefined || entry.isAnnounced || levels === undefined) return
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

/** Opening a thing of another level works in that level from then on: the server changes it, and the page is reloaded. */
export const useLevelOf = (entity: string, row: { readonly hierarchylevel: string | null }): void => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const levels = useQuery(levelsQuery).data
  const done = useRef(false)
  const { hierarchylevel } = row
  useEffect(() => {
    if (done.current || levels === undefined || entity === 'hierarchy') return
    done.current = true
    if (hierarchylevel === null || hierarchylevel === user.hierarchylevel) return
    if (levels.every(({ id }) => id !== hierarchylevel)) return
    enterLevel({ from: user.hierarchylevel, to: hierarchylevel }).catch((failure: unknown) => {
      notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' })
    })
  }, [levels, hierarchylevel, user.hierarchylevel, entity, t])
}
