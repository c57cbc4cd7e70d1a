import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '#web/api/session.ts'
import { runQuery, type TestRun } from '#web/features/conversationtest/index.ts'
import { useDesigner } from './designer.ts'
import { useNames } from './names-context.ts'

/** Edits come in bursts; tests run once they pause. */
const PAUSE_MS = 1500

interface FlowTests {
  readonly outcomes: TestRun['outcomes']
  readonly isRunning: boolean
}

const NONE: TestRun['outcomes'] = []

/** The tests that begin in the open dialog, against what is drawn: run again after it was saved (RUNTIME 90). */
export const useFlowTests = (): FlowTests => {
  const { address, canvas, room } = useDesigner()
  const bot = useNames().bot?.id
  const { can } = useSession()
  const isAsked = bot !== undefined && address.kind === 'dialog' && can('readconversationtest')
  const query = useQuery({ ...runQuery(bot ?? '', { dialog: address.id }), enabled: isAsked })
  const { refetch } = query
  useEffect(() => {
    if (!isAsked) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        // What is not stored yet is not what the server runs.
        if (room.saving.get().kept === 0) void refetch({ cancelRefetch: false })
        else soon()
      }, PAUSE_MS)
    }
    const stop = canvas.flow.subscribe(soon)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [isAsked, canvas, room, refetch])
  return { outcomes: isAsked ? (query.data?.outcomes ?? NONE) : NONE, isRunning: isAsked && query.isFetching }
}
