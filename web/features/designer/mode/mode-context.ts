import { createContext, use } from 'react'
import type { SnapshotFrom } from 'xstate'
import type { DesignerEvent, designerMachine } from './designer-machine.ts'

type Sheet =
  | 'none'
  | 'lint'
  | 'find'
  | 'keys'
  | 'publish'
  | 'reach'
  | 'add'
  | 'outline'
  | 'track'
  | 'comments'
  | 'search'
  | 'uses'

export interface Mode {
  readonly mode: 'edit' | 'history' | 'test' | 'funnel'
  readonly tool: 'select' | 'pan'
  readonly sheet: Sheet
  readonly full: boolean
  readonly send: (event: DesignerEvent) => void
}

export const modeOf = (snapshot: SnapshotFrom<typeof designerMachine>, send: Mode['send']): Mode => ({
  mode: snapshot.value.mode,
  tool: snapshot.value.tool,
  sheet: snapshot.value.sheet,
  full: snapshot.value.screen === 'full',
  send,
})

export const ModeContext = createContext<Mode | undefined>(undefined)

export const useMode = (): Mode => {
  const mode = use(ModeContext)
  if (mode === undefined) throw new Error('outside of the designer')
  return mode
}
