import { type Drawing, drawFlow } from './draw-flow.ts'
import type { Remark, Sketch } from './sketch.ts'

/** A sketch drawn with keys in the places of ids. */
export const drawnWithKeys = (sketch: Sketch, remarks: readonly Remark[] = []): Drawing =>
  drawFlow(sketch, { start: 'start', idOf: (kind, key) => `${kind} ${key}`, remarks })
