import type { Mode } from '../mode/mode-context.ts'
import type { Designer } from '../session/designer.ts'
import type { Seek, UseTarget } from '../session/search-state.ts'

/** The element id of the field one types in. */
export const SEEK_FIELD = 'pl-seek-text'

/** Opens the search through the texts of flows, with what was looked for last, which typing replaces. */
export const openSearch = ({ seek }: Pick<Designer, 'seek'>, send: Mode['send'], wish: Partial<Seek>): void => {
  seek.set(held => ({ ...held, ...wish }))
  send({ type: 'SEARCH' })
  const field = document.getElementById(SEEK_FIELD)
  if (field instanceof HTMLInputElement) {
    field.focus()
    field.select()
  }
}

/** Opens the sheet that tells where something is used. */
export const openUses = ({ seek }: Pick<Designer, 'seek'>, send: Mode['send'], target?: UseTarget): void => {
  if (target !== undefined) seek.set(held => ({ ...held, target }))
  send({ type: 'USES' })
}
