import { useCallback, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { ActorRefFrom } from 'xstate'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import type { Designer } from '../session/designer.ts'
import type { DesignerEvent, designerMachine, Mode } from './mode-context.ts'

type ModeName = Mode['mode']

/** Parameters that belong to the flow, in all modes; all others belong to one mode. */
const OF_FLOW: readonly string[] = [DESIGNER_QUERY.block, DESIGNER_QUERY.comment, 'pid', 'pname', 'ptype']

/** Modes that this person may open here. */
type AllowedModes = Readonly<Record<'test' | 'funnel', boolean>>

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

const EVENTS = { edit: 'EDIT', history: 'HISTORY', test: 'TEST', funnel: 'FUNNEL' } as const
const MODES: Readonly<Partial<Record<DesignerEvent['type'], ModeName>>> = {
  EDIT: 'edit',
  HISTORY: 'history',
  TEST: 'test',
  FUNNEL: 'funnel',
}

/**
 * Keeps the mode in the address. A change of mode adds an entry to the browser's history; going back and forward change the
 * mode. Returns the `send` of the designer's machine.
 */
export const useModeAddress = (
  { canvas }: Designer,
  machine: ActorRefFrom<typeof designerMachine>,
  { test, funnel }: AllowedModes,
): Mode['send'] => {
  const navigate = useNavigate()
  const { key, search } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the router knows no more than that the address is another one.
  useEffect(() => {
    const { pathname } = location
    const follow = () => {
      if (location.pathname !== pathname) return
      const wanted = modeIn(new URLSearchParams(location.search), { test, funnel })
      if (wanted !== machine.getSnapshot().value.mode) machine.send({ type: EVENTS[wanted] })
    }
    follow()
    // Going back before the next entry was drawn leads to the key and the query that are drawn already.
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [machine, test, funnel, key, search])
  return useCallback(
    event => {
      const before = machine.getSnapshot().value.mode
      machine.send(event)
      const mode = MODES[event.type]
      if (mode === undefined || mode === before) return
      const [block, more] = canvas.selection.get().blocks
      const selected = more === undefined ? block : undefined
      void navigate({ search: searchOf(new URLSearchParams(location.search), mode, selected) })
    },
    [machine, canvas, navigate],
  )
}
