/** Sent by a process once it accepts questions. */
export const READY = 'ready'
