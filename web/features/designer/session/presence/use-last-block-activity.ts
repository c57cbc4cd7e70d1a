import { useEffect, useMemo, useRef } from 'react'
import { useRecent } from '../edit-history/use-recent-edits.ts'
import { type BlockActivity, deedsOf } from './block-activity.ts'

/** Parts of a long history that are looked through before a block's last change is left to the history itself. */
const MAX_PAGES = 4

/** Last change of a block; undefined while unknown, or if it is too old to search for. */
export const useLastDeed = (block: string): BlockActivity | undefined => {
  const { moments, hasOlder, busy, older } = useRecent(block)
  const deed = useMemo(() => deedsOf(moments ?? [], block)[0], [moments, block])
  const asked = useRef(0)
  const unseen = moments !== undefined && deed === undefined && hasOlder && !busy
  useEffect(() => {
    if (!unseen || asked.current >= MAX_PAGES) return
    asked.current += 1
    older()
  }, [unseen, older])
  return deed
}
