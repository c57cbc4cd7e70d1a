import type { Designer } from '../live/designer.ts'
import type { Mode } from '../mode/mode-context.ts'
import type { Seek, UseTarget } from './seek.ts'

/** Opens the search through the texts of flows, going on with what was looked for last. */
export const openSearch = ({ seek }: Pick<Designer, 'seek'>, send: Mode['send'], wish: Partial<Seek>): void => {
  seek.set(held => ({ ...held, ...wish }))
  send({ type: 'SEARCH' })
}

/** Opens the sheet that tells where something is used. */
export const openUses = ({ seek }: Pick<Designer, 'seek'>, send: Mode['send'], target?: UseTarget): void => {
  if (target !== undefined) seek.set(held => ({ ...held, target }))
  send({ type: 'USES' })
}
