export { mapContactsAddress } from './address.ts'
