export { EditContactById } from './edit-contact.tsx'
export { contactsQuery, listHolder, mapContactsAddress, useHolderReturn } from './holder.ts'
