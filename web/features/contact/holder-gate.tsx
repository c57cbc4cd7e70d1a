import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { useLevelOf } from '#web/shell/level.ts'
import { CAMPAIGNS, type ContactHolder, campaignHolder, listHolder } from './holder.ts'

type HolderEntity = 'campaign' | 'contactlist'
type HolderRow = RowOf<'campaign'> | RowOf<'contactlist'>

interface WithinProps {
  readonly entity: HolderEntity
  readonly row: HolderRow
  readonly children: ReactNode
}

const Within = ({ entity, row, children }: WithinProps) => {
  useLevelOf(entity, row)
  return children
}

interface GateProps {
  readonly permission: string
  readonly entity?: HolderEntity
  readonly children: (holder: ContactHolder) => ReactNode
}

/** A page of the campaign or the list that its address names; without one it leads to the list of all. */
export const HolderGate = ({ permission, entity = 'campaign', children }: GateProps) => {
  const { id = '' } = useParams()
  const { can } = useSession()
  const query = useQuery({ ...detailQuery(entity, id), enabled: id !== '' })
  const isReady = useEntityTextsReady([entity])
  if (id === '') return <Redirect to={entity === 'campaign' ? CAMPAIGNS : '/contactlist/search'} />
  if (!can(permission)) return <ErrorMessage code="403" />
  if (query.error && query.data === undefined)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined || !isReady) return <PageSkeleton />
  const row = query.data as HolderRow
  const holder =
    entity === 'campaign' ? campaignHolder(row as RowOf<'campaign'>) : listHolder(row as RowOf<'contactlist'>)
  return (
    <Within key={id} entity={entity} row={row}>
      {children(holder)}
    </Within>
  )
}
