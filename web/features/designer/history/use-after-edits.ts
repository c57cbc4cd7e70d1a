import { useEffect } from 'react'
import { useDesigner } from '../live/designer.ts'

/** After an edit in the room, until it is stored and can be read. Milliseconds. */
const SETTLE = 700

/** Reads again soon after anybody's edits in the room. */
export const useAfterEdits = (read: () => Promise<unknown>): void => {
  const { room } = useDesigner()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void read()
      }, SETTLE)
    }
    room.doc.on('update', soon)
    return () => {
      clearTimeout(timer)
      room.doc.off('update', soon)
    }
  }, [room, read])
}
