export { queueQuery, useClearQueue, useNow, waitOf } from './queue-list.tsx'
