export { channelsQuery } from './health-query.ts'
export { StateCell } from './state-cell.tsx'
