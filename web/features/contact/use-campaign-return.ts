import { useSession } from '#web/api/session.ts'
import { useAddress } from '#web/page/use-address.ts'
import { addContactAddress, contactsAddress, mapContactsAddress } from './address.ts'

/** Addresses of the contacts of a campaign, which lead back to the step of the campaign from where they were opened. */
export const useCampaignReturn = (campaign: string) => {
  const { params } = useAddress()
  const { can } = useSession()
  // Checked by the page of the campaign.
  const step = params.get('step')
  const kept = (address: string) => {
    if (step === null) return address
    return `${address}${address.includes('?') ? '&' : '?'}step=${encodeURIComponent(step)}`
  }
  const id = encodeURIComponent(campaign)
  return {
    isOfStep: step !== null,
    /** A campaign that was sent shows its report there. */
    campaign: can('updatecampaign')
      ? `/campaignmanagement/campaign/create?campaign=${id}&step=${encodeURIComponent(step ?? 'contacts')}`
      : `/campaign/${id}`,
    contacts: kept(contactsAddress(campaign)),
    add: kept(addContactAddress(campaign)),
    map: (profile?: string) => kept(mapContactsAddress(campaign, profile)),
    upload: (upload: string) => kept(`/campaignupload/${upload}`),
  }
}
