import { Button } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import i18next, { type TFunction } from 'i18next'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { diffFlows } from '#domain/flow/diff/diff-flows.ts'
import { Modal } from '#web/components/modal.tsx'
import { type Counts, countsOf } from '#web/entity/flow/read-revisions.ts'
import { momentOf } from './edit-days.ts'
import { ChangeCounts } from './legend.tsx'
import { flowAtQuery } from './scene.ts'
import { useRestore } from './use-restore.ts'
import { useTravelling } from './use-travel.ts'

/** Effect of a restore on the current flow. */
const useOutcome = (open: boolean) => {
  const { address, at, head } = useTravelling()
  const then = useQuery({ ...flowAtQuery(address, at.revision), enabled: open })
  const now = useQuery({ ...flowAtQuery(address, head.revision), enabled: open })
  if (then.data === undefined || now.data === undefined) return undefined
  const { nodes, links } = diffFlows(now.data.file, then.data.file)
  const moved = links.added.length + links.removed.length + links.changed.length
  const script = (now.data.file.js ?? '') !== (then.data.file.js ?? '')
  const counts = countsOf(nodes)
  return { counts, links: moved, nothing: moved + counts.added + counts.changed + counts.removed === 0 && !script }
}

const outcomeWords = (
  { counts, links }: { readonly counts: Counts; readonly links: number },
  t: TFunction<'history'>,
) =>
  new Intl.ListFormat(i18next.language).format([
    ...(['added', 'changed', 'removed'] as const)
      .filter(kind => counts[kind] > 0)
      .map(kind => t(`flow.would.${kind}`, { count: counts[kind] })),
    ...(links > 0 ? [t('flow.would.links', { count: links })] : []),
  ])

const OutcomeText = ({ outcome }: { readonly outcome: ReturnType<typeof useOutcome> }) => {
  const { t } = useTranslation('history')
  return (
    <div className="pt-outcome" aria-live="polite">
      {outcome === undefined ? (
        <p>{t('flow.counting')}</p>
      ) : outcome.nothing ? (
        <p>{t('flow.already')}</p>
      ) : (
        <>
          <ChangeCounts counts={outcome.counts} all />
          <p>{t('flow.outcome', { what: outcomeWords(outcome, t) })}</p>
        </>
      )}
      <p className="pt-muted">{t('flow.restoreSafe')}</p>
    </div>
  )
}

/** Brings the whole flow back: first the counts, then the act, which can be undone. */
export const RestoreFlow = ({ small = false }: { readonly small?: boolean }) => {
  const { t } = useTranslation('history')
  const { at, head } = useTravelling()
  const { mayEdit, busy, restore } = useRestore()
  const [open, setOpen] = useState(false)
  const outcome = useOutcome(open)
  if (!mayEdit) return null
  const when = momentOf(at.time)
  const act = async () => {
    setOpen(false)
    await restore(at.revision, undefined, t('flow.flowRestored', { when }))
  }
  return (
    <>
      <Button
        variant="solid"
        colorPalette="accent"
        size={small ? 'sm' : 'md'}
        disabled={busy || at === head}
        onClick={() => setOpen(true)}
      >
        <RotateCcw size={15} aria-hidden />
        {t(small ? 'flow.restoreShort' : 'flow.restoreFlow')}
      </Button>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        title={t('flow.restoreTitle', { when })}
        icon={<RotateCcw size={18} aria-hidden />}
        footer={
          <>
            <Button onClick={() => setOpen(false)}>{t('flow.cancel')}</Button>
            <Button
              variant="solid"
              colorPalette="accent"
              data-autofocus
              disabled={outcome === undefined || outcome.nothing}
              onClick={() => void act()}
            >
              {t('flow.restoreFlow')}
            </Button>
          </>
        }
      >
        <OutcomeText outcome={outcome} />
      </Modal>
    </>
  )
}
