import { blockField as f } from '../flow/block-field.ts'

/** Fields of drawings for people: a tint, and their size in flow pixels. */
export const shapeFields = (tint: string, width: number, height: number) => ({
  tint: f.enumeration(['yellow', 'blue', 'green', 'red', 'grey'], { initial: tint }),
  width: f.integer(width, { min: 80, max: 20_000, unit: 'px', half: true }),
  height: f.integer(height, { min: 60, max: 20_000, unit: 'px', half: true }),
})
