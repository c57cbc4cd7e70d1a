export { SessionItem } from './session-item.tsx'
