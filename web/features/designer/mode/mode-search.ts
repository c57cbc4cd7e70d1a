import { DESIGNER_QUERY } from '#web/entity/address.ts'
import type { Mode } from './mode-context.ts'

export type ModeName = Mode['mode']

/** Parameters that belong to the flow, in all modes; all others belong to one mode. */
const OF_FLOW: readonly string[] = [DESIGNER_QUERY.block, DESIGNER_QUERY.comment, 'pid', 'pname', 'ptype']

/** Modes that this person may open here. */
export type AllowedModes = Readonly<Record<'test' | 'funnel', boolean>>

/** The mode that an address names; the editor where that mode may not be opened. */
export const modeIn = (search: URLSearchParams, allowed: AllowedModes): ModeName => {
  const named = search.get(DESIGNER_QUERY.mode)
  // A link to a moment (?at=revision) opens the history there.
  if (named === DESIGNER_QUERY.history || search.has(DESIGNER_QUERY.at)) return 'history'
  return (named === DESIGNER_QUERY.test || named === DESIGNER_QUERY.funnel) && allowed[named] ? named : 'edit'
}

/** The query of another mode of the same flow. In the editor it names the selected block. */
export const searchOf = (search: URLSearchParams, mode: ModeName, selected: string | undefined): string => {
  const next = new URLSearchParams([...search].filter(([name]) => OF_FLOW.includes(name)))
  if (mode !== 'edit') next.set(DESIGNER_QUERY.mode, DESIGNER_QUERY[mode])
  else if (selected === undefined) next.delete(DESIGNER_QUERY.block)
  else next.set(DESIGNER_QUERY.block, selected)
  return next.size === 0 ? '' : `?${next}`
}
