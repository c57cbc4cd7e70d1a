import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { diffFlows } from '#domain/flow/diff/diff-flows.ts'
import { http } from '#web/api/http.ts'
import { flowAddress } from '#web/entity/address.ts'
import { longDayOf, secondOf } from '#web/format/time.ts'
import { type RevisionFlow, revisionFlow } from '../history/scene.ts'

/** Number of blocks of a dialog that changed since. */
const useChanged = (dialog: string, flow: RevisionFlow | undefined): number | undefined => {
  const today = useQuery({
    queryKey: ['flow-today', dialog],
    queryFn: async () =>
      revisionFlow(0, await http.get('/{kind}/{id}/flow', { params: { kind: 'dialog', id: dialog } })).file,
    staleTime: 30_000,
    retry: false,
  })
  const { data } = useQuery({
    queryKey: ['flow-changed', dialog, flow?.revision, today.dataUpdatedAt],
    queryFn: () => {
      if (flow === undefined || today.data === undefined) return 0
      const { added, changed, removed } = diffFlows(flow.file, today.data).nodes
      return added.length + changed.length + removed.length
    },
    enabled: flow !== undefined && today.data !== undefined,
  })
  return data
}

interface WalkBandProps {
  readonly bot: string
  readonly dialog: string
  readonly flow: RevisionFlow | undefined
  readonly revision: number
  /** ISO 8601 UTC. */
  readonly time: string
}

/** Says in ink over the canvas of when this is, which revision ran, and what is another one today. */
export const ReplayBanner = ({ bot, dialog, flow, revision, time }: WalkBandProps) => {
  const { t } = useTranslation('replay')
  const changed = useChanged(dialog, flow)
  return (
    <div className="pt-band pr-band">
      <History size={17} strokeWidth={1.75} aria-hidden />
      <span className="pt-band-text">
        <span>
          <Trans
            t={t}
            i18nKey="band"
            values={{ moment: `${longDayOf(time)}, ${secondOf(time)}`, revision }}
            components={{ b: <b /> }}
          />
        </span>
      </span>
      {changed === undefined ? null : changed === 0 ? (
        <small>{t('unchanged')}</small>
      ) : (
        <Link to={flowAddress('dialog', dialog, { bot, at: revision, compare: 'now' })}>
          {t('changed', { count: changed })}
        </Link>
      )}
    </div>
  )
}
