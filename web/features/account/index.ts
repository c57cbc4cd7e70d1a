export { SessionList, useEndSessions } from './sessions-page.tsx'
