import { useCallback, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { ActorRefFrom } from 'xstate'
import type { Designer } from '../session/designer.ts'
import type { DesignerEvent, designerMachine } from './designer-machine.ts'
import type { Mode } from './mode-context.ts'
import { type AllowedModes, type ModeName, modeIn, searchOf } from './mode-search.ts'

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
