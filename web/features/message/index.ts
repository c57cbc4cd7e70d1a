export { MessageListPage } from './message-list-page.tsx'
