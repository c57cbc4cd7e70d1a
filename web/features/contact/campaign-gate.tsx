import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useParams } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { ErrorMessage, PageLoadError } from '#web/page/error-page.tsx'
import { useLevelOf } from '#web/shell/level.ts'
import { CAMPAIGNS } from './address.ts'

const Within = ({ campaign, children }: { readonly campaign: RowOf<'campaign'>; readonly children: ReactNode }) => {
  useLevelOf('campaign', campaign)
  return children
}

interface GateProps {
  readonly permission: string
  readonly children: (campaign: RowOf<'campaign'>) => ReactNode
}

/** A page of the campaign that its address names; without one it leads to the campaigns. */
export const CampaignGate = ({ permission, children }: GateProps) => {
  const { id = '' } = useParams()
  const { can } = useSession()
  const campaign = useQuery({ ...detailQuery('campaign', id), enabled: id !== '' })
  const isReady = useEntityTextsReady(['campaign'])
  if (id === '') return <Navigate replace to={CAMPAIGNS} />
  if (!can(permission)) return <ErrorMessage code="403" />
  if (campaign.error && campaign.data === undefined)
    return <PageLoadError error={campaign.error} onRetry={() => void campaign.refetch()} />
  if (campaign.data === undefined || !isReady) return <PageSkeleton />
  return (
    <Within key={id} campaign={campaign.data}>
      {children(campaign.data)}
    </Within>
  )
}
