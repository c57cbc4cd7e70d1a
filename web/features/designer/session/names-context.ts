import { createContext, use } from 'react'
import type { FlowNames } from './flow-names.ts'

export const NamesContext = createContext<FlowNames | undefined>(undefined)

/** Names of what a block can point to: dialogs, handlers, tasks, variables. */
export const useNames = (): FlowNames => {
  const names = use(NamesContext)
  if (names === undefined) throw new Error('outside of the designer')
  return names
}
