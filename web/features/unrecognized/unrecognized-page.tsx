import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { useLevelOf } from '#web/shell/level.ts'
import { UnrecognizedList } from './unrecognized-list.tsx'

const Shown = ({ project }: { readonly project: RowOf<'nluproject'> }) => {
  const { t } = useTranslation('unrecognized')
  useLevelOf('nluproject', project)
  return (
    <Page title={project.name} name={t('title')}>
      <ParentTabs entity="nluproject" id={project.id} active="unrecognized" />
      <UnrecognizedList project={project} />
    </Page>
  )
}

/** /nluproject/unrecognized/{project} */
export const UnrecognizedPage = () => {
  const { id = '' } = useParams()
  const { can } = useSession()
  const query = useQuery(detailQuery('nluproject', id))
  const ready = useEntityTextsReady(['nluproject', 'intent'])
  if (!can('readconversation')) return <ErrorMessage code="403" />
  if (query.error && query.data === undefined)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined || !ready) return <PageSkeleton />
  return <Shown key={id} project={query.data} />
}
