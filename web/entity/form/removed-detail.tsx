import { Button } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Trash2, Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { useLabel } from '#web/entity/label.ts'
import { type RemovedEntity, useRemovedEntity } from '#web/entity/use-removed-entity.ts'
import { momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { ErrorRedirect } from '#web/page/page-load-error.tsx'
import { useIsLeaving } from '#web/page/use-address.ts'
import { PastBand, RevisionForm } from './revision-form.tsx'

/** A malformed id is an unknown address. */
const ID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu

interface Props {
  readonly entity: EntityDeclaration
  readonly id: string
}

/** Page of a removed row: author, time, last state and restore. */
export const RemovedDetail = ({ entity, id }: Props) => {
  const { isPending, removed } = useRemovedEntity(entity.name, id)
  if (isPending) return <PageSkeleton />
  if (removed !== undefined) return <Removed entity={entity} {...removed} />
  return ID.test(id) ? <UnknownThing entity={entity} id={id} /> : <ErrorMessage code="404" />
}

/** Redirects to the bots if no level of the caller contains the id; otherwise shows 404. */
const UnknownThing = ({ entity: { name }, id }: Props) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const isLeaving = useIsLeaving()
  const { isPending, data } = useQuery({
    queryKey: [name, 'hierarchy', id],
    queryFn: ({ signal }) => http.get('/{entity}/hierarchy', { params: { entity: name }, query: { id }, signal }),
    retry: false,
    gcTime: 0,
  })
  const isNowhere = data !== undefined && data.hierarchylevel === undefined
  useEffect(() => {
    if (!isNowhere || isLeaving()) return
    notice.toast(t('level.nothinghere'), { tone: 'warning' })
    void navigate('/bot/search', { replace: true })
  }, [isNowhere, isLeaving, navigate, t])
  return isPending || isNowhere ? <PageSkeleton /> : <ErrorRedirect status={404} />
}

interface RemovedProps extends RemovedEntity {
  readonly entity: EntityDeclaration
}

const RemovedBand = ({ entity, row, last, revision }: RemovedProps) => {
  const { t } = useTranslation(['history', 'shell'])
  const { can } = useSession()
  const command = useEntityCommand(entity)
  return (
    <PastBand icon={Trash2} text={t('history:removedby', { name: nameOf(last.actor), time: momentOf(last.time) })}>
      {can(`update${entity.name}`) ? (
        <Button size="xs" onClick={() => void command.restore(row, revision).catch(command.failed)}>
          <Undo2 size={14} aria-hidden="true" />
          {t('shell:bringback')}
        </Button>
      ) : null}
    </PastBand>
  )
}

/** Over a form with unsaved changes whose thing was removed meanwhile. */
export const RemovedMeanwhile = ({ entity, id }: Props) => {
  const { removed } = useRemovedEntity(entity.name, id)
  return removed === undefined ? null : <RemovedBand entity={entity} {...removed} />
}

const Removed = (props: RemovedProps) => {
  const name = useLabel().title(props.entity, props.row)
  return (
    <Page title={name} name={name} band={<RemovedBand {...props} />}>
      <RevisionForm entity={props.entity} row={props.row} />
    </Page>
  )
}
