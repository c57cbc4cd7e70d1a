import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { detailQuery, type Value } from '#web/entity/entity-query.ts'
import { readAll } from '#web/entity/read-all.ts'

/** The number of a campaign: an account of Meta, or a channel. */
export interface Sender {
  readonly kind: 'metaaccount' | 'channel'
  readonly id: string
}

/** The templates that are registered at a number, by name. */
export const templatesQuery = (sender: Sender | undefined) =>
  queryOptions({
    queryKey: ['template', 'list', 'sendable', sender?.kind, sender?.id],
    queryFn:
      sender === undefined
        ? skipToken
        : async ({ signal }: { readonly signal: AbortSignal }) =>
            (await readAll('template', { [sender.kind]: sender.id, sort: 'templateName' }, signal)).items,
  })

/** Names of the columns that fields were imported from, and their places in the files, by field. */
export interface FieldColumns {
  readonly names: Readonly<Record<string, string>>
  readonly columns: Readonly<Record<string, number>>
}

/** Number of contacts of a campaign, and the columns of their fields; undefined until read, and without the right. */
export const useContacts = (campaign: string | undefined) => {
  const { can } = useSession()
  return useQuery({
    queryKey: ['contact', 'count', campaign],
    queryFn:
      campaign === undefined
        ? skipToken
        : async () => {
            const { total, names, columns } = await http.get('/contact', { query: { campaign, size: 1 } })
            return { total, names, columns }
          },
    enabled: can('readcontact'),
  }).data
}

export const useTemplateRow = (id: string | undefined): RowOf<'template'> | undefined => {
  const { can } = useSession()
  return useQuery({
    ...detailQuery('template', id ?? ''),
    enabled: id !== undefined && can('readtemplate'),
  }).data
}

/** Changes fields of a campaign, on the revision that is shown. */
export const useChangeCampaign = () => {
  const client = useQueryClient()
  return async (row: RowOf<'campaign'>, body: Readonly<Record<string, Value>>): Promise<void> => {
    await http.patch('/{entity}/{id}', { params: { entity: 'campaign', id: row.id }, body, revision: row.revision })
    await client.invalidateQueries({ queryKey: ['campaign'] })
  }
}
