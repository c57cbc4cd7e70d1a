import { useEffect } from 'react'
import { useDesigner } from '../live/designer.ts'

/** After an edit in the room, until it is stored and can be read: as a rule, and where the disk is slow. Milliseconds. */
const SETTLE = [700, 3000]

/** Reads again soon after anybody's edits in the room. */
export const useAfterEdits = (read: () => Promise<unknown>): void => {
  const { room } = useDesigner()
  useEffect(() => {
    const timers = new Map<number, ReturnType<typeof setTimeout>>()
    const readAfter = (wait: number) => {
      if (timers.has(wait)) return
      const run = () => {
        timers.delete(wait)
        void read()
      }
      timers.set(wait, setTimeout(run, wait))
    }
    const soon = () => SETTLE.forEach(readAfter)
    room.doc.on('update', soon)
    return () => {
      for (const timer of timers.values()) clearTimeout(timer)
      room.doc.off('update', soon)
    }
  }, [room, read])
}
