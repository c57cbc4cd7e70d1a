export { AccountFilteredList } from './app/account-filtered-list.tsx'
export { MissingChannel } from './app/missing-channel.tsx'
