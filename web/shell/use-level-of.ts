import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSession } from '#web/api/session.ts'
import { levelsQuery, useChangeLevel } from './level.ts'

/** Opening a thing of another level moves one there, with a way back in the notice. */
export const useLevelOf = (entity: string, row: { readonly hierarchylevel: string | null }): void => {
  const { user } = useSession()
  const levels = useQuery(levelsQuery).data
  const change = useChangeLevel()
  const done = useRef(false)
  const { hierarchylevel } = row
  useEffect(() => {
    if (done.current || levels === undefined || entity === 'hierarchy') return
    done.current = true
    if (hierarchylevel === null || hierarchylevel === user.hierarchylevel) return
    const there = levels.find(level => level.id === hierarchylevel)
    const here = levels.find(level => level.id === user.hierarchylevel)
    if (there === undefined) return
    void change(there, { stay: true, ...(here ? { back: () => void change(here, { stay: true }) } : {}) })
  }, [levels, hierarchylevel, user.hierarchylevel, change, entity])
}
