import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { GitCompareArrows, Square } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { rehearsalAddress } from '#web/entity/address.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { countText, GroupEnds, RehearsalBar, useBlockName, usePartial, useSummary } from './rehearsal-result.tsx'
import {
  type Drawn,
  type RehearsalView,
  useBeginRehearsal,
  useHasTalked,
  useRehearsal,
  useStopRehearsal,
} from './use-rehearsal.ts'

const MAX_GROUPS = 3

interface FoundProps {
  readonly view: RehearsalView
  readonly onOpen: (group?: number) => void
}

const Found = ({ view, onOpen }: FoundProps) => {
  const { t } = useTranslation('rehearsal')
  const nameOf = useBlockName()
  const partial = usePartial(view)
  const summary = useSummary(view)
  const { total, state, groups } = view
  const isRunning = state === 'running'
  if (total === 0) return <Text textStyle="dense">{t('none')}</Text>
  return (
    <>
      <Text textStyle="dense" fontWeight="semibold" role="status">
        {isRunning ? t('running', { done: countText(view.done), total: countText(total) }) : summary}
      </Text>
      <RehearsalBar view={view} />
      {partial === undefined ? null : (
        <Text textStyle="dense" color="warning.fg">
          {partial}
        </Text>
      )}
      <chakra.ul listStyleType="none" m="0">
        {groups.slice(0, MAX_GROUPS).map(group => (
          <li key={group.n}>
            <button
              type="button"
              className="rh-group"
              data-lost={group.lost || undefined}
              onClick={() => onOpen(group.n)}
            >
              <b>{countText(group.count)}</b>
              <span>
                {t('by', { name: nameOf(group.parts) })}
                <GroupEnds group={group} />
              </span>
            </button>
          </li>
        ))}
      </chakra.ul>
    </>
  )
}

/** Changes by publishing in the newest conversations, before it is done. */
export const PublishRehearsal = ({ drawn }: { readonly drawn: Drawn }) => {
  const { t } = useTranslation('rehearsal')
  const { can } = useSession()
  const goOn = useGuardedNavigate()
  const [id, setId] = useState<string>()
  const begin = useBeginRehearsal()
  const stop = useStopRehearsal()
  const { data, error } = useRehearsal(id)
  // The same person began another one.
  const isOver = isProblem(error, 404)
  const view = isOver ? undefined : data
  const hasTalked = useHasTalked(can('updatedialog') ? drawn.bot : undefined)
  if (!hasTalked) return null
  const start = () => begin.mutate(drawn, { onSuccess: ({ rehearsal }) => setId(rehearsal) })
  const [dialog] = drawn.dialogs
  const open = (group?: number) => {
    if (view !== undefined)
      void goOn(
        rehearsalAddress(view.rehearsal, { bot: drawn.bot, dialog: dialog ?? view.groups[0]?.parts.dialog, group }),
      )
  }
  const failed = begin.error ?? error
  return (
    <Box mt="3" pt="3" borderTopWidth="1px" role="group" aria-label={t('title')}>
      <HStack gap="2" mb="1.5">
        <chakra.h3 flex="1" textStyle="dense" fontWeight="semibold">
          {t('title')}
        </chakra.h3>
        {view?.state === 'running' ? (
          <Button size="xs" onClick={() => stop.mutate(view.rehearsal)}>
            <Square size={12} aria-hidden />
            {t('stop')}
          </Button>
        ) : (
          <Button size="xs" loading={begin.isPending} onClick={start}>
            <GitCompareArrows size={14} aria-hidden />
            {t(data === undefined ? 'begin' : 'again')}
          </Button>
        )}
      </HStack>
      {view === undefined ? (
        <Text textStyle="dense" color="fg.muted">
          {t('text')}
        </Text>
      ) : (
        <Found view={view} onOpen={open} />
      )}
      {failed === null ? null : (
        <Text role="alert" textStyle="dense" color="danger.fg">
          {isOver ? t('over') : failureOf(failed, t('failed'))}
        </Text>
      )}
      {view === undefined || (view.elsewhere === 0 && view.unknown.length === 0) ? null : (
        <Button size="xs" mt="2" onClick={() => open()}>
          {t('open')}
        </Button>
      )}
    </Box>
  )
}
