/** Contacts of a campaign. */
export const contactsAddress = (campaign: string): string => `/campaignmanagement/contact/${campaign}`
/** Adding one by hand. */
export const addContactAddress = (campaign: string): string => `/campaignmanagement/contact/add/${campaign}`
/** The list of all campaigns. */
export const CAMPAIGNS = '/campaignmanagement/channel/app/campaign/search'
