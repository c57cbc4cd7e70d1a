import { useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { DESK } from '#web/shell/storage-keys.ts'

/** A user's choices about this browser; sounds belong to their agent profile. */
export interface DeskPreferences {
  readonly keys: boolean
  /** Enter sends and Shift Enter breaks the line; otherwise Ctrl Enter sends. */
  readonly enterSends: boolean
  /** Notifications of the browser. */
  readonly notify: boolean
}

const INITIAL: DeskPreferences = { keys: true, enterSends: true, notify: false }

const stored = (key: string): DeskPreferences => {
  try {
    return { ...INITIAL, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<DeskPreferences>) }
  } catch {
    return INITIAL
  }
}

export const useDeskPreferences = () => {
  const { user } = useSession()
  const key = DESK + user.id
  const [preferences, setPreferences] = useState(() => stored(key))
  const change = (changed: Partial<DeskPreferences>) => {
    const next = { ...preferences, ...changed }
    localStorage.setItem(key, JSON.stringify(next))
    setPreferences(next)
  }
  return { preferences, change }
}
