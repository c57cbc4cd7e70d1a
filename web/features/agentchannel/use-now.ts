import { useEffect, useState } from 'react'
import { durationOf } from '#web/format/time.ts'

const TICK_MS = 1_000

/** The present moment, each second, ms. */
export const useNow = (): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Time since a moment (ISO 8601), in whole seconds. */
export const waitOf = (since: string, now: number): string =>
  durationOf(Math.max(0, Math.floor((now - Date.parse(since)) / TICK_MS) * TICK_MS))
