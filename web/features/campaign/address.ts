/** The form of a campaign, beside its report. */
export const settingsAddress = (id: string): string => `/campaign/settings/${id}`

/** The steps that make a campaign, or go on with one that was not sent yet. */
export const createAddress = (id?: string): string =>
  `/campaignmanagement/campaign/create${id === undefined ? '' : `?campaign=${encodeURIComponent(id)}`}`
