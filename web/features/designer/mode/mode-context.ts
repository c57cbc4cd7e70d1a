import { createContext, use } from 'react'
import { type SnapshotFrom, setup } from 'xstate'

type Event =
  | { type: 'EDIT' | 'HISTORY' | 'TEST' | 'FUNNEL' }
  | { type: 'SELECT' | 'PAN' }
  | {
      type:
        | 'LINT'
        | 'FIND'
        | 'KEYS'
        | 'PUBLISH'
        | 'REACH'
        | 'SHARE'
        | 'ADD'
        | 'OUTLINE'
        | 'TRACK'
        | 'COMMENTS'
        | 'SEARCH'
        | 'USES'
        | 'CLOSE'
    }
  | { type: 'FULLSCREEN' }

/** State of the designer's page: mode, tool, open sheet and full screen. */
export const designerMachine = setup({ types: { events: {} as Event } }).createMachine({
  id: 'designer',
  type: 'parallel',
  states: {
    mode: {
      initial: 'edit',
      states: {
        edit: { on: { HISTORY: 'history', TEST: 'test', FUNNEL: 'funnel' } },
        history: { on: { EDIT: 'edit', TEST: 'test', FUNNEL: 'funnel' } },
        test: { on: { EDIT: 'edit', HISTORY: 'history', FUNNEL: 'funnel' } },
        funnel: { on: { EDIT: 'edit', HISTORY: 'history', TEST: 'test' } },
      },
    },
    tool: {
      initial: 'select',
      states: {
        select: { on: { PAN: 'pan' } },
        pan: { on: { SELECT: 'select' } },
      },
    },
    sheet: {
      initial: 'none',
      on: {
        LINT: '.lint',
        FIND: '.find',
        KEYS: '.keys',
        PUBLISH: '.publish',
        REACH: '.reach',
        SHARE: '.share',
        ADD: '.add',
        OUTLINE: '.outline',
        TRACK: '.track',
        COMMENTS: '.comments',
        SEARCH: '.search',
        USES: '.uses',
        CLOSE: '.none',
        HISTORY: '.none',
        TEST: '.none',
        FUNNEL: '.none',
      },
      states: {
        none: {},
        lint: { on: { LINT: 'none' } },
        find: {},
        keys: { on: { KEYS: 'none' } },
        publish: {},
        reach: {},
        share: {},
        add: {},
        outline: { on: { OUTLINE: 'none' } },
        track: { on: { TRACK: 'none' } },
        comments: {},
        search: {},
        uses: {},
      },
    },
    screen: {
      initial: 'framed',
      states: {
        framed: { on: { FULLSCREEN: 'full' } },
        full: { on: { FULLSCREEN: 'framed' } },
      },
    },
  },
})

export type DesignerEvent = Event

type Sheet =
  | 'none'
  | 'lint'
  | 'find'
  | 'keys'
  | 'publish'
  | 'reach'
  | 'share'
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
