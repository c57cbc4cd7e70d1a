import type { ContactHolder } from './holder.ts'

type Place = Pick<ContactHolder, 'kind' | 'id'>

const CAMPAIGN_CONTACTS = '/campaignmanagement/contact'

/** Contacts of a campaign. */
export const campaignContactsAddress = (campaign: string): string => `${CAMPAIGN_CONTACTS}/${campaign}`
/** Contacts of a campaign or a list. */
export const contactsAddress = ({ kind, id }: Place): string =>
  kind === 'list' ? `/contactlist/${id}` : campaignContactsAddress(id)
/** Adding one by hand. */
export const addContactAddress = ({ kind, id }: Place): string =>
  kind === 'list' ? `/contactlist/add/${id}` : `${CAMPAIGN_CONTACTS}/add/${id}`
/** Sending files of contacts, by the rules of a profile where one is given. */
export const mapContactsAddress = ({ kind, id }: Place, profile?: string): string =>
  `${kind === 'list' ? '/contactlist' : CAMPAIGN_CONTACTS}/map/${id}${profile === undefined ? '' : `?profile=${profile}`}`
/** The list of all campaigns. */
export const CAMPAIGNS = '/campaignmanagement/channel/app/campaign/search'
