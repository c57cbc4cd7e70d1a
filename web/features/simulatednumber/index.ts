export { CopyToReal } from './copy-campaign.tsx'
export { AddPersonas } from './persona-list.tsx'
export { AccountMark, SimulatedChip } from './simulated-chip.tsx'
export { phoneAddress, TryWithoutMeta } from './try-without-meta.tsx'
