/** The form of a campaign, beside its report. */
export const settingsAddress = (id: string): string => `/campaign/settings/${id}`

/** Address of the campaign steps: new, or for an unsent campaign. */
export const createAddress = (id?: string): string =>
  `/campaignmanagement/campaign/create${id === undefined ? '' : `?campaign=${encodeURIComponent(id)}`}`
