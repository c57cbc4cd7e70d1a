import { useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { FlowHit } from '#schemas/api/flow-text.ts'
import { useSession } from '#web/api/session.ts'
import { flowAddress } from '#web/entity/address.ts'
import { useCommands } from '../commands/commands.ts'
import type { Mode } from '../mode/mode-context.ts'
import { useStoreValue } from '../model/store.ts'
import { type Designer, useDesigner } from '../session/designer.ts'
import type { SearchState, UseTarget } from '../session/search-state.ts'
import { usePhone } from '../session/use-phone.ts'

/** The element id of the field one types in. */
export const SEARCH_FIELD_ID = 'pl-seek-text'

/** Opens the search through the texts of flows, with what was looked for last, which typing replaces. */
export const openSearch = ({ seek }: Pick<Designer, 'seek'>, send: Mode['send'], wish: Partial<SearchState>): void => {
  seek.set(held => ({ ...held, ...wish }))
  send({ type: 'SEARCH' })
  const field = document.getElementById(SEARCH_FIELD_ID)
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

interface Toggles<T> {
  readonly on: ReadonlySet<T>
  readonly set: (values: readonly T[], on: boolean) => void
}

/** Several things that are each on or off. */
export const useToggles = <T>(initial: Iterable<T>): Toggles<T> => {
  const [on, setOn] = useState<ReadonlySet<T>>(() => new Set(initial))
  const set = useCallback((values: readonly T[], isOn: boolean) => {
    setOn(held => (isOn ? held.union(new Set(values)) : held.difference(new Set(values))))
  }, [])
  return useMemo(() => ({ on, set }), [on, set])
}

/** Whether what is found may be replaced, where it is looked for. */
export const useMayReplace = (): boolean => {
  const designer = useDesigner()
  const session = useSession()
  const { scope } = useStoreValue(designer.seek)
  const phone = usePhone()
  // On a phone one only looks.
  return !phone && (scope === 'flow' ? designer.mayEdit : session.can('updatebot'))
}

/** Goes to a block of any flow: in this one the view flies there, another one is opened at it. */
export const useGoToBlock = () => {
  const { address } = useDesigner()
  const commands = useCommands()
  const navigate = useNavigate()
  return (
    flow: { readonly kind: 'dialog' | 'handler'; readonly id: string },
    { block, path, field }: Pick<FlowHit, 'block' | 'path' | 'field'>,
  ) => {
    if (flow.id === address.id) commands.show(block, field === '' || field === 'title' ? undefined : path.join('.'))
    else void navigate(flowAddress(flow.kind, flow.id, { block }))
  }
}
