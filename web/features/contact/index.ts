export { mapContactsAddress } from './address.ts'
export { EditContactById } from './edit-contact-by-id.tsx'
