export { StateCell } from './channel-state.tsx'
export { useCause } from './health-query.ts'
