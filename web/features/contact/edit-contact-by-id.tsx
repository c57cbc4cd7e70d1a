import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { EditContact } from './edit-contact.tsx'
import { campaignHolder } from './holder.ts'

interface Props {
  readonly campaign: RowOf<'campaign'>
  /** Id of a contact. */
  readonly contact: string
  onClose(): void
}

/** Changes a contact of which only the id is known. */
export const EditContactById = ({ campaign, contact, onClose }: Props) => {
  const { data } = useQuery({
    queryKey: ['contact', campaign.id, 'one', contact],
    queryFn: ({ signal }) =>
      http.get('/contact/{id}', { params: { id: contact }, query: { campaign: campaign.id }, signal }),
    staleTime: 0,
  })
  return data === undefined ? null : <EditContact holder={campaignHolder(campaign)} contact={data} onClose={onClose} />
}
