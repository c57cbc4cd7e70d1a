/** What a process says once it can take questions. */
export const READY = 'ready'
