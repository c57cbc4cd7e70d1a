import { Button } from '@chakra-ui/react'
import { FlaskConical, ListChecks, X } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { testAddress } from '#web/features/conversationtest/index.ts'
import { type Visit, VisitLayer } from '../canvas/visit-layer.tsx'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'
import { useFlowTests } from '../session/use-flow-tests.ts'

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
