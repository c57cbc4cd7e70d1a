import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isMachineTitle } from '#domain/flow/text/machine-title.ts'
import type { ReferenceField } from '#schemas/flow/block-field.ts'
import { http } from '#web/api/http.ts'
import { isProblem } from '#web/api/problem.ts'
import { historyQuery } from '#web/entity/entity-query.ts'
import { type FetchMoments, readNewest, readOlder } from '#web/entity/flow/read-revisions.ts'
import { useDesigner } from '../session/designer.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

/** Parts of a flow's history that are looked through for the title of a block that was removed. */
const MAX_PARTS = 5
/** Behind this many characters an id is cut. */
const SHOWN = 8

/** The title a block had when it was last removed; '' when the newest parts of the history do not tell. */
const removedTitle = async ({ kind, id }: FlowAddress, block: string): Promise<string> => {
  const fetchPage: FetchMoments = (after, size) =>
    http.get('/{kind}/{id}/flow/history', { params: { kind, id }, query: { after, size } })
  let part = await readNewest(fetchPage)
  for (let read = 1; ; read += 1) {
    const found = part.moments.flatMap(({ summary }) => summary.removed).findLast(removed => removed.id === block)
    if (found !== undefined) return isMachineTitle(found.title, found.type) ? '' : found.title
    if (part.from === 0 || read === MAX_PARTS) return ''
    part = await readOlder(fetchPage, part.from)
  }
}

/** The words for a value that is not among what can be chosen: removed, or out of reach, by its name wherever that is known. */
export const useGone = (to: Exclude<ReferenceField['to'], 'variable'>, id: string, isGone: boolean): string => {
  const { t } = useTranslation('designer')
  const { address } = useDesigner()
  const isBlock = to === 'block'
  const asked = { retry: false, staleTime: 60_000 }
  const there = useQuery({
    queryKey: [to, id],
    queryFn: () => http.get('/{entity}/{id}', { params: { entity: to, id } }),
    ...asked,
    enabled: isGone && !isBlock,
  })
  const isRemoved = isGone && !isBlock && isProblem(there.error, 404)
  const history = useQuery({ ...historyQuery(to, encodeURIComponent(id)), ...asked, enabled: isRemoved })
  const title = useQuery({
    queryKey: ['flow-removed', address.kind, address.id, id],
    queryFn: () => removedTitle(address, id),
    ...asked,
    enabled: isGone && isBlock,
  })
  if (there.data !== undefined) return t('inspector.beyond', { name: there.data.name })
  const given = history.data?.flatMap(({ changes }) => changes).find(({ path }) => path === 'name')?.after
  const name = isBlock ? title.data : given
  if (typeof name === 'string' && name !== '') return t(`inspector.gone.${to}.named`, { name })
  const isAsking = isBlock ? title.isPending : there.isPending || (isRemoved && history.isPending)
  // A configuration may be named: a name is not cut.
  const short = to !== 'oauth' && id.length > SHOWN ? `${id.slice(0, SHOWN)}…` : id
  return isAsking ? '…' : t(`inspector.gone.${to}.unnamed`, { id: short })
}
