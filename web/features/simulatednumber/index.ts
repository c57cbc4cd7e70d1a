export { AddPersonas } from './add-personas.tsx'
export { CopyToReal } from './copy-campaign.tsx'
export { AccountMark, SimulatedChip } from './simulated-chip.tsx'
export { phoneAddress, TryWithoutMeta } from './try-without-meta.tsx'
