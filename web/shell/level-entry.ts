import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { notice } from '#web/notice/notice.ts'
import { levelsQuery, useChangeLevel } from './level.ts'

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
export const enterLevel = async ({ from, to }: Pick<LevelEntry, 'from' | 'to'>): Promise<void> => {
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
