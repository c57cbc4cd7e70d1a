export { AccountFilteredList } from './app/account-filtered-list.tsx'
export { useAccounts } from './app/app-query.ts'
export { MissingChannel } from './app/missing-channel.tsx'
export { QualityChip, useLimitText } from './app/number-facts.tsx'
