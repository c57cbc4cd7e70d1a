import type { NodeModel } from '#domain/flow/document/model.ts'
import { semanticColor } from '#web/theme/semantic-color.ts'
import { type Box, COMFORTABLE } from '../model/geometry.ts'
import { boxOf as boxIn, categoryOf } from '../model/look.ts'
import type { Face } from './font.ts'
import { color, LINE } from './pen.ts'

/** Paper is the same for everybody. */
export const boxOf = (node: NodeModel): Box => boxIn(node, COMFORTABLE)

/** Prints use the light theme. */
export const light = (type: string) => {
  const { fg, muted, subtle, border } = semanticColor.category[categoryOf(type)]
  const of = ({ value }: typeof fg) => color(value._light)
  return { fg: of(fg), muted: of(muted), subtle: of(subtle), border: of(border) }
}

const TINTS = { yellow: 'warning', blue: 'info', green: 'positive', red: 'danger' } as const

/** Of a sheet or a frame; grey where it says no other. */
export const tintOf = ({ properties: { tint } }: NodeModel) => {
  const name = typeof tint === 'string' && Object.hasOwn(TINTS, tint) ? TINTS[tint as keyof typeof TINTS] : undefined
  if (name === undefined) return { subtle: color('#F3F2EE'), border: LINE }
  const { subtle, muted } = semanticColor[name]
  return { subtle: color(subtle.value._light), border: color(muted.value._light) }
}

export interface Faces {
  readonly plain: Face
  readonly bold: Face
  readonly code: Face
}
