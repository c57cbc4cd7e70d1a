export { queueQuery } from './queue-query.ts'
export { useClearQueue } from './use-clear-queue.ts'
export { useNow, waitOf } from './use-now.ts'
