import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useParams } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useEntityTextsReady } from '#web/entity/label.ts'
import type { StatementOwner } from '#web/features/statement/index.ts'
import { PageLoadError } from '#web/page/page-load-error.tsx'

interface ProjectPageProps {
  readonly owner: StatementOwner
  readonly shown: ComponentType<{ readonly owner: StatementOwner; readonly project: RowOf<'nluproject' | 'brain'> }>
}

/** A page of the project or brain that the address names: its skeleton, its failure, or what is shown of it. */
export const ProjectPage = ({ owner, shown: Shown }: ProjectPageProps) => {
  const { id = '' } = useParams()
  const query = useQuery(detailQuery(owner.parent, id))
  const ready = useEntityTextsReady([owner.parent, owner.entity])
  if (query.error && query.data === undefined)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined || !ready) return <PageSkeleton />
  return <Shown key={id} owner={owner} project={query.data} />
}
