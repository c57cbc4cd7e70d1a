export { StateCell } from './state-cell.tsx'
