export { SessionItem } from './sessions-page.tsx'
