import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { codesample } from '#schemas/entities/codesample.ts'
import { useSession } from '#web/api/session.ts'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useEntityTextsReady } from '#web/entity/label.ts'

const SampleReader = lazy(() => import('./sample-reader.tsx').then(m => ({ default: m.SampleReader })))

const VIEW = 'view'
const READ = 'read'

/** A code sample: its form, and the same to be read. Who may not change it reads it. */
export const CodeSamplePage = () => {
  const { id = '' } = useParams()
  const isReady = useEntityTextsReady(['codesample'])
  const { t } = useTranslation('entity/codesample')
  const { can } = useSession()
  const [search, setSearch] = useSearchParams()
  const mayEdit = can('updatecodesample')
  const view = search.get(VIEW) ?? (mayEdit ? 'edit' : READ)
  const show = (next: string) =>
    setSearch(
      before => {
        const after = new URLSearchParams(before)
        after.set(VIEW, next)
        return after
      },
      { replace: true },
    )
  return (
    <EntityDetail
      key={id}
      entity={codesample}
      id={id}
      listAt="/codesample/search"
      actions={() =>
        isReady ? (
          <Segments
            label={t('reader.view')}
            value={view}
            onChange={show}
            options={[
              { value: READ, label: t('reader.read') },
              { value: 'edit', label: t(mayEdit ? 'reader.edit' : 'reader.fields') },
            ]}
          />
        ) : null
      }
      {...(view === READ && isReady
        ? {
            reading: row => (
              <Suspense fallback={<RowsSkeleton />}>
                <SampleReader row={row} />
              </Suspense>
            ),
          }
        : {})}
    />
  )
}
