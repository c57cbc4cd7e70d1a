import { useSession } from '#web/api/session.ts'
import { useAddress } from '#web/page/use-address.ts'
import { addContactAddress, contactsAddress, mapContactsAddress } from './address.ts'

/** Steps of the making of a campaign. */
const STEPS = ['template', 'contacts', 'when', 'review']

/** Addresses of the contacts of a campaign, which lead back to the step of the campaign from where they were opened. */
export const useCampaignReturn = (campaign: string) => {
  const { params } = useAddress()
  const { can } = useSession()
  const asked = params.get('step')
  const step = STEPS.find(one => one === asked)
  const kept = (address: string) => {
    if (step === undefined) return address
    return `${address}${address.includes('?') ? '&' : '?'}step=${step}`
  }
  const id = encodeURIComponent(campaign)
  return {
    isOfStep: step !== undefined,
    /** A campaign that was sent shows its report there. */
    campaign: can('updatecampaign')
      ? `/campaignmanagement/campaign/create?campaign=${id}&step=${step ?? 'contacts'}`
      : `/campaign/${id}`,
    contacts: kept(contactsAddress(campaign)),
    add: kept(addContactAddress(campaign)),
    map: (profile?: string) => kept(mapContactsAddress(campaign, profile)),
    upload: (upload: string) => kept(`/campaignupload/${upload}`),
  }
}
