export { StateCell } from './channel-state.tsx'
