import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useSession } from '#web/api/session.ts'
import { runQuery, type TestRun } from '#web/features/conversationtest/index.ts'
import { useDesigner } from './designer.ts'
import { useNames } from './flow-names.ts'

/** Edits come in bursts; tests run once they pause. */
const PAUSE_MS = 1500

interface FlowTests {
  readonly outcomes: TestRun['outcomes']
  readonly isRunning: boolean
}

/** Which dialogs a test runs through seldom changes. */
const THROUGH_STALE_MS = 60_000

const NONE: TestRun['outcomes'] = []

/** Tests that begin in another dialog and run through this one: run again with those that begin here. */
const useTestsThrough = (bot: string, dialog: string, isAsked: boolean, own: TestRun['outcomes']) => {
  const all = useQuery({ ...runQuery(bot, { brief: true }), staleTime: THROUGH_STALE_MS, enabled: isAsked })
  const ids = useMemo(() => {
    const begins = new Set(own.map(({ id }) => id))
    const through = all.data?.outcomes.filter(({ id, flows }) => flows.includes(dialog) && !begins.has(id)) ?? NONE
    return through.map(({ id }) => id).sort()
  }, [all.data, own, dialog])
  const isEnabled = isAsked && ids.length > 0
  return { ...useQuery({ ...runQuery(bot, { tests: ids, brief: true }), enabled: isEnabled }), isEnabled }
}

/**
 * The tests that begin in the open dialog, and those of other dialogs that fail in it, against what is drawn: run again
 * after it was saved.
 */
export const useFlowTests = (): FlowTests => {
  const { address, canvas, room } = useDesigner()
  const bot = useNames().bot?.id
  const { can } = useSession()
  const isAsked = bot !== undefined && address.kind === 'dialog' && can('readconversationtest')
  const query = useQuery({ ...runQuery(bot ?? '', { dialog: address.id }), enabled: isAsked })
  const own = isAsked ? (query.data?.outcomes ?? NONE) : NONE
  const through = useTestsThrough(bot ?? '', address.id, isAsked && query.data !== undefined, own)
  const { refetch } = query
  const { refetch: refetchThrough, isEnabled: hasThrough } = through
  useEffect(() => {
    if (!isAsked) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        // The server does not run unsaved edits.
        if (room.saving.get().kept > 0) return soon()
        void refetch({ cancelRefetch: false })
        if (hasThrough) void refetchThrough({ cancelRefetch: false })
      }, PAUSE_MS)
    }
    const stop = canvas.flow.subscribe(soon)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [isAsked, canvas, room, refetch, refetchThrough, hasThrough])
  const outcomes = useMemo(() => {
    const others = hasThrough ? (through.data?.outcomes ?? NONE) : NONE
    return [...own, ...others.filter(({ passed, at }) => !passed && at?.dialog === address.id)]
  }, [own, through.data, hasThrough, address.id])
  return { outcomes, isRunning: isAsked && (query.isFetching || through.isFetching) }
}
