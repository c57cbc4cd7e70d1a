import { Button } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { FlaskConical, ListChecks, X } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { runQuery, type TestRun, testAddress } from '#web/features/conversationtest/index.ts'
import { type Visit, VisitLayer } from '../canvas/visit-layer.tsx'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'

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
const useFlowTests = (): FlowTests => {
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

/** Results of the dialog's tests, in the bar: failing ones link to their pages. */
export const TestStatusBadge = () => {
  const { t } = useTranslation('conversationtest')
  const navigate = useNavigate()
  const bot = useNames().bot?.id ?? ''
  const { outcomes, isRunning } = useFlowTests()
  if (outcomes.length === 0) return null
  const failed = outcomes.filter(({ passed }) => !passed)
  const isHolding = failed.length === 0
  const text = isHolding ? t('mark.passed', { count: outcomes.length }) : t('mark.failed', { count: failed.length })
  const actions = [
    ...failed.map(({ id, name }) => ({
      id,
      label: name,
      icon: X,
      danger: true,
      run: () => void navigate(testAddress(bot, id)),
    })),
    {
      id: 'all',
      label: t('mark.all'),
      icon: ListChecks,
      separated: !isHolding,
      run: () => void navigate(testAddress(bot)),
    },
  ]
  return (
    <ActionMenu label={text} actions={actions}>
      <Button
        variant="ghost"
        px="2"
        color={isHolding ? 'positive.fg' : 'danger.fg'}
        aria-label={isRunning ? `${text}. ${t('mark.running')}` : text}
        aria-busy={isRunning}
        title={text}
      >
        <FlaskConical size={16} aria-hidden />
        {isHolding ? outcomes.length : failed.length}
      </Button>
    </ActionMenu>
  )
}

/** Failing tests per block of the open dialog. */
export const FailedTestBadges = () => {
  const { t } = useTranslation('conversationtest')
  const { address } = useDesigner()
  const { outcomes } = useFlowTests()
  const visits = useMemo(() => {
    const failed = outcomes.flatMap(({ at }) => (at?.dialog === address.id ? [at.block] : []))
    return new Map(
      [...Map.groupBy(failed, block => block)].map(([block, tests]): [string, Visit] => [
        block,
        { label: t('mark.failed', { count: tests.length }), short: String(tests.length), failed: true, broken: true },
      ]),
    )
  }, [outcomes, address.id, t])
  return visits.size === 0 ? null : <VisitLayer visits={visits} at={undefined} />
}
