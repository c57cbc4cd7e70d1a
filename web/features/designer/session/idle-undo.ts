import type { Undo } from '#domain/flow/undo/undo.ts'
import { whenIdle } from '#web/idle.ts'
import type { Room } from './room/room.ts'

/** Lets undo read, while the page is idle, the data for the next edit: nothing while the flow opens. */
export const readAheadWhenIdle = (undo: Undo, { doc, ready }: Room): (() => void) => {
  let calledOff = () => {}
  let running = false
  const slice = () => {
    running = undo.readAhead()
    if (running) calledOff = whenIdle(slice)
  }
  const soon = () => {
    if (running || !ready.get()) return
    running = true
    calledOff = whenIdle(slice)
  }
  const stop = ready.subscribe(soon)
  doc.on('afterTransaction', soon)
  return () => {
    stop()
    doc.off('afterTransaction', soon)
    calledOff()
  }
}
