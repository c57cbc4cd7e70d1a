/** Contacts of a campaign. */
export const contactsAddress = (campaign: string): string => `/campaignmanagement/contact/${campaign}`
/** Adding one by hand. */
export const addContactAddress = (campaign: string): string => `/campaignmanagement/contact/add/${campaign}`
/** Sending files of contacts, by the rules of a profile where one is given. */
export const mapContactsAddress = (campaign: string, profile?: string): string =>
  `/campaignmanagement/contact/map/${campaign}${profile === undefined ? '' : `?profile=${profile}`}`
/** The list of all campaigns. */
export const CAMPAIGNS = '/campaignmanagement/channel/app/campaign/search'
