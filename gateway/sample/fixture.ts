import { type Drawing, drawFlow } from './draw-flow.ts'
import type { Sketch } from './sketch.ts'

/** A sketch drawn with keys in the places of ids. */
export const drawnWithKeys = (sketch: Sketch): Drawing =>
  drawFlow(sketch, { start: 'start', idOf: (kind, key) => `${kind} ${key}` })
