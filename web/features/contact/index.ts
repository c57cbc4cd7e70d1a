export { mapContactsAddress } from './address.ts'
export { EditContactById } from './edit-contact-by-id.tsx'
export { useCampaignReturn } from './use-campaign-return.ts'
