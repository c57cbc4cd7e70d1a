import { useEffect } from 'react'
import { useDesigner } from '../designer.ts'

/** After an edit in the room, until it is stored and can be read: as a rule, and where the disk is slow. Milliseconds. */
const SETTLE = [700, 3000]

/** Refetches soon after edits by any person in the room, or of one block. */
export const useAfterEdits = (read: () => Promise<unknown>, block?: string): void => {
  const { room, canvas } = useDesigner()
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
    const listen = () => {
      if (block === undefined) {
        room.doc.on('update', soon)
        return () => room.doc.off('update', soon)
      }
      let node = canvas.flow.get().nodes.get(block)
      return canvas.flow.subscribe(() => {
        const before = node
        node = canvas.flow.get().nodes.get(block)
        if (node !== before) soon()
      })
    }
    const stop = listen()
    return () => {
      for (const timer of timers.values()) clearTimeout(timer)
      stop()
    }
  }, [room, canvas, read, block])
}
