import { useEffect, useState } from 'react'
import type { Travel } from './use-travel.ts'

/** Between two pictures. Milliseconds. */
const BEAT = 450
/** However long a history is, playing all of it takes about a minute. */
const BEATS = 130

/** Plays forward, waiting for each picture; stops at the present. */
export const usePlay = (travel: Travel | undefined, late: boolean) => {
  const [playing, setPlaying] = useState(false)
  const { index = 0, moments = [], go } = travel ?? {}
  const last = moments.length - 1
  useEffect(() => {
    if (!playing || late) return
    const timer = setTimeout(() => {
      const next = moments[Math.min(last, index + Math.max(1, Math.ceil(moments.length / BEATS)))]
      if (index >= last || next === undefined) setPlaying(false)
      else go?.(next.revision)
    }, BEAT)
    return () => clearTimeout(timer)
  }, [playing, late, index, last, moments, go])
  const toggle = () => {
    const first = moments[0]
    if (!playing && index >= last && first !== undefined) go?.(first.revision)
    setPlaying(!playing)
  }
  return { playing, toggle, stop: () => setPlaying(false) }
}
