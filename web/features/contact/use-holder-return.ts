import { useSession } from '#web/api/session.ts'
import { useAddress } from '#web/page/use-address.ts'
import { addContactAddress, contactsAddress, mapContactsAddress } from './address.ts'
import type { ContactHolder } from './holder.ts'

/** Addresses of contacts, which lead back to the step of the campaign from where they were opened. */
export const useHolderReturn = (holder: Pick<ContactHolder, 'kind' | 'id'>) => {
  const { params } = useAddress()
  const { can } = useSession()
  // Checked by the page of the campaign.
  const step = holder.kind === 'list' ? null : params.get('step')
  const kept = (address: string) => {
    if (step === null) return address
    return `${address}${address.includes('?') ? '&' : '?'}step=${encodeURIComponent(step)}`
  }
  const id = encodeURIComponent(holder.id)
  return {
    isOfStep: step !== null,
    /** A campaign that was sent shows its report there. */
    campaign: can('updatecampaign')
      ? `/campaignmanagement/campaign/create?campaign=${id}&step=${encodeURIComponent(step ?? 'contacts')}`
      : `/campaign/${id}`,
    contacts: kept(contactsAddress(holder)),
    add: kept(addContactAddress(holder)),
    map: (profile?: string) => kept(mapContactsAddress(holder, profile)),
    upload: (upload: string) => kept(`/campaignupload/${upload}`),
  }
}
